// about: Threads without work return before the barrier of the grid, in a block whose others come to it.
// output out: i32[200] = any
// finding: W0403 warning
// gpu: skip it may hang

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__device__ int between[256];

__global__ void turn(int* out, int n) {
    cg::grid_group grid = cg::this_grid();
    const int i = static_cast<int>(grid.thread_rank());
    if (i >= n) return;
    between[i] = i;
    grid.sync();  // <- W0403
    out[i] = between[n - 1 - i];
}

void run(int* out) {
    int n = 200;
    void* arguments[] = {&out, &n};
    cudaLaunchCooperativeKernel(turn, dim3(4), dim3(64), arguments);
}
