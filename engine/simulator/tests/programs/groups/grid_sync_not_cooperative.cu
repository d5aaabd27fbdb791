// about: A kernel that waits for the whole grid, launched as any other.
// output out: i32[256] = any
// finding: W0408 error

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__global__ void kernel(int* out) {
    cg::grid_group grid = cg::this_grid();
    out[grid.thread_rank()] = 1;
    grid.sync();  // <- W0408
    out[grid.thread_rank()] += 1;
}

void run(int* out) { kernel<<<4, 64>>>(out); }
