// about: Threads of one tile exchange through shared memory and do not wait.
// output out: i32[64] = any
// finding: race warning
// sanitizer: racecheck

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__global__ void reverse(int* out) {
    __shared__ int shared[64];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const int i = threadIdx.x;
    shared[i] = i;  // <- race
    out[i] = shared[i - i % 8 + 7 - tile.thread_rank()];  // <- with race
}

void run(int* out) { reverse<<<1, 64>>>(out); }
