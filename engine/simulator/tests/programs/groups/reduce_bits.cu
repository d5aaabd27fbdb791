// about: The bitwise operations of cg::reduce, in tiles and among the threads of a branch.
// input in: u32[32] = (i * 2654435761) & 4294967295
// output both: u32[32] = sum(b, 0, 32, smallest(k, 0, 32, (in[k] | 1 | (k & 2)) >> b & 1) << b)
// output either: u32[32] = sum(b, 0, 32, any(k, 0, 8, in[i / 8 * 8 + k] >> b & 1) << b)
// output branch: u32[32] = i % 3 == 0 ? xor(k, 0, 11, in[3 * k]) : 0
// output largest: u32[32] = i % 3 == 0 ? largest(k, 0, 11, in[3 * k]) : 0
// output total: f32[32] = i % 3 == 0 ? sum(k, 0, 11, 3 * k * 0.5) : 0
// finding: none

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__global__ void kernel(const unsigned* in, unsigned* both, unsigned* either, unsigned* branch, unsigned* largest,
                       float* total) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const unsigned i = threadIdx.x, value = in[i];
    both[i] = cg::reduce(warp, value | 1 | (i & 2), cg::bit_and<unsigned>());
    either[i] = cg::reduce(cg::tiled_partition<8>(warp), value, cg::bit_or<unsigned>());
    branch[i] = 0;
    largest[i] = 0;
    total[i] = 0;
    if (i % 3 == 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        branch[i] = cg::reduce(active, value, cg::bit_xor<unsigned>());
        largest[i] = cg::reduce(active, value, cg::greater<unsigned>());
        total[i] = cg::reduce(active, i * 0.5f, cg::plus<float>());
    }
}

void run(const unsigned* in, unsigned* both, unsigned* either, unsigned* branch, unsigned* largest, float* total) {
    kernel<<<1, 32>>>(in, both, either, branch, largest, total);
}
