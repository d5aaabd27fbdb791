// about: The grid as a group: numbers of blocks and threads in two dimensions.
// output ranks: u64[96] = i
// output sizes: u64[96] = 96 * 1000 + 6 * 100 + i / 16
// finding: none

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__global__ void kernel(unsigned long long* ranks, unsigned long long* sizes) {
    auto grid = cg::this_grid();
    ranks[grid.thread_rank()] = grid.thread_rank();
    sizes[grid.thread_rank()] = grid.size() * 1000 + grid.num_blocks() * 100 + grid.block_rank();
}

void run(unsigned long long* ranks, unsigned long long* sizes) { kernel<<<dim3(3, 2), dim3(4, 4)>>>(ranks, sizes); }
