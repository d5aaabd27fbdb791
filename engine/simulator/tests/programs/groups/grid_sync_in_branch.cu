// about: The barrier of the grid in a branch that half of each warp takes.
// output out: i32[64] = any
// finding: barrier error
// gpu: skip it may hang

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__global__ void kernel(int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i;
    if (threadIdx.x % 32 < 16) {
        cg::this_grid().sync();  // <- barrier
        out[i] += 1;
    }
    out[i] *= 2;
}

void run(int* out) {
    void* arguments[] = {&out};
    cudaLaunchCooperativeKernel(kernel, dim3(2), dim3(32), arguments);
}
