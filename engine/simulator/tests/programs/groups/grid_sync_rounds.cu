// about: A chain through all blocks in two dimensions, a barrier of the grid a round, and the same barrier in a second
//  launch of another size.
// input in: i32[384] = i * 7 % 100
// output out: i32[384] = in[(i + 3 * 64) % 384] + 3
// output again: i32[128] = in[(i + 64) % 128] + 1
// finding: none

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

// Two copies by turns: one barrier a round is enough, as the copy that is stored to was last read a round ago.
__device__ int copies[2][384];

__global__ void rotate(const int* in, int* out, int n, int rounds) {
    cg::grid_group grid = cg::this_grid();
    const int i = static_cast<int>(grid.thread_rank());
    copies[0][i] = in[i];
    for (int round = 0; round < rounds; ++round) {
        grid.sync();  // the copy of this round is complete
        copies[(round + 1) % 2][i] = copies[round % 2][(i + 64) % n] + 1;
    }
    cg::sync(grid);
    out[i] = copies[rounds % 2][i];
}

void run(const int* in, int* out, int* again) {
    int n = 384, rounds = 3;
    void* arguments[] = {&in, &out, &n, &rounds};
    // As a library would: the kernel's type is gone.
    const void* kernel = reinterpret_cast<const void*>(rotate);
    cudaLaunchCooperativeKernel(kernel, dim3(3, 2), dim3(16, 4), arguments, 0, 0);
    n = 128, rounds = 1;
    arguments[1] = &again;
    cudaLaunchCooperativeKernel(kernel, dim3(2), dim3(64), arguments, 0, 0);
}
