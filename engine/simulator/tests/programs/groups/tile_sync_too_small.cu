// about: The warps of a block exchange through shared memory, and only the threads of a tile wait.
// output out: i32[64] = any
// finding: race error
// sanitizer: racecheck

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__global__ void reverse(int* out) {
    __shared__ int shared[64];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int i = threadIdx.x;
    shared[i] = 0;
    __syncthreads();  // all elements are zero
    shared[i] = i;  // <- race
    warp.sync();
    out[i] = shared[63 - i];  // <- with race
}

void run(int* out) { reverse<<<1, 64>>>(out); }
