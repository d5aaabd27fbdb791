// about: Threads of one tile exchange through shared memory, and wait for their tile.
// output out: i32[64] = i / 8 * 8 + 7 - i % 8
// finding: none
// sanitizer: racecheck

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__global__ void reverse(int* out) {
    __shared__ int shared[64];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const int i = threadIdx.x;
    shared[i] = i;
    tile.sync();  // the tile's elements are there
    out[i] = shared[i - i % 8 + 7 - tile.thread_rank()];
}

void run(int* out) { reverse<<<1, 64>>>(out); }
