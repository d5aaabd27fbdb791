// about: cg::reduce over tiles of several sizes, with every operation, on integers and floating-point numbers.
// input in: i32[64] = (i * 37 + 11) % 101 - 50
// output plus: i32[64] = sum(k, 0, 32, in[i / 32 * 32 + k])
// output less: i32[64] = smallest(k, 0, 8, in[i / 8 * 8 + k])
// output greater: i32[64] = largest(k, 0, 4, in[i / 4 * 4 + k])
// output bits: u32[64] = xor(k, 0, 16, u32(in[i / 16 * 16 + k]))
// output sums: f32[64] = sum(k, 0, 16, in[i / 16 * 16 + k] / 4.0)
// output largest: f64[64] = largest(k, 0, 2, in[i / 2 * 2 + k] / 8.0)
// output shorts: i32[64] = smallest(k, 0, 32, in[i / 32 * 32 + k])
// finding: none
// sanitizer: synccheck

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__global__ void kernel(const int* in, int* plus, int* less, int* greater, unsigned* bits, float* sums, double* largest,
                       int* shorts) {
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto sixteen = cg::tiled_partition<16>(warp);
    const int i = block.thread_rank(), value = in[i];
    plus[i] = cg::reduce(warp, value, cg::plus<int>());
    less[i] = cg::reduce(cg::tiled_partition<8>(block), value, cg::less<int>());
    greater[i] = cg::reduce(cg::tiled_partition<4>(sixteen), value, cg::greater<int>());
    bits[i] = cg::reduce(sixteen, (unsigned)value, cg::bit_xor<unsigned>());
    sums[i] = cg::reduce(sixteen, value / 4.0f, cg::plus<float>());
    largest[i] = cg::reduce(cg::tiled_partition<2>(block), value / 8.0, cg::greater<double>());
    shorts[i] = cg::reduce(warp, (short)value, cg::less<short>());
}

void run(const int* in, int* plus, int* less, int* greater, unsigned* bits, float* sums, double* largest, int* shorts) {
    kernel<<<1, 64>>>(in, plus, less, greater, bits, sums, largest, shorts);
}
