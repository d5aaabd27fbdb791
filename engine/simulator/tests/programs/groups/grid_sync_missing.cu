// about: What another block stores is read with no barrier of the grid between: only that of the block.
// output out: i32[256] = any
// finding: race error

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__device__ int between[256];

__global__ void turn(int* out, int n) {
    const int i = static_cast<int>(cg::this_grid().thread_rank());
    between[i] = i;  // <- race
    cg::this_thread_block().sync();
    out[i] = between[n - 1 - i];  // <- race
}

void run(int* out) {
    int n = 256;
    void* arguments[] = {&out, &n};
    cudaLaunchCooperativeKernel(turn, dim3(4), dim3(64), arguments);
}
