// about: Votes and matches of tiles: bit r of a mask stands for the thread of rank r.
// input in: i32[64] = i * i % 7
// output odd: u32[64] = sum(k, 0, 16, (in[i / 16 * 16 + k] & 1) << k)
// output any_zero: i32[64] = any(k, 0, 16, in[i / 16 * 16 + k] == 0)
// output all_small: i32[64] = smallest(k, 0, 16, in[i / 16 * 16 + k] < 4)
// output equal: u32[64] = sum(k, 0, 16, (in[i / 16 * 16 + k] == in[i]) << k)
// finding: none
// sanitizer: synccheck

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__global__ void kernel(const int* in, unsigned* odd, int* any_zero, int* all_small, unsigned* equal) {
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int i = threadIdx.x, value = in[i];
    odd[i] = tile.ballot(value & 1);
    any_zero[i] = tile.any(value == 0) != 0;
    all_small[i] = tile.all(value < 4) != 0;
    equal[i] = tile.match_any(value);
}

void run(const int* in, unsigned* odd, int* any_zero, int* all_small, unsigned* equal) {
    kernel<<<1, 64>>>(in, odd, any_zero, all_small, equal);
}
