// about: Every block reads what the last one has stored before the barrier of the grid, and the last what the first has.
// output out: i32[256] = 255 - i
// output valid: i32[2] = {1; 0}
// finding: none

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__device__ int between[256];

__global__ void turn(int* out, int* valid, int n) {
    cg::grid_group grid = cg::this_grid();
    const int i = static_cast<int>(grid.thread_rank());
    between[i] = i;
    grid.sync();  // all elements are there
    out[i] = between[n - 1 - i];
    if (i == 0) valid[0] = grid.is_valid();
}

__global__ void alone(int* valid) { valid[1] = cg::this_grid().is_valid(); }

void run(int* out, int* valid) {
    int n = 256;
    void* arguments[] = {&out, &valid, &n};
    alone<<<1, 1>>>(valid);  // first: what a cooperative launch is known by may stay for the next
    cudaLaunchCooperativeKernel(turn, dim3(4), dim3(64), arguments);
}
