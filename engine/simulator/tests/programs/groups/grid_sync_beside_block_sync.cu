// about: One warp waits for the grid while the other waits for the block.
// output out: i32[128] = any
// finding: W0404 error
// gpu: skip it hangs

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__global__ void kernel(int* out) {
    if (threadIdx.x < 32)
        cg::this_grid().sync();  // <- W0404
    else
        cg::this_thread_block().sync();  // <- with W0404
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

void run(int* out) {
    void* arguments[] = {&out};
    cudaLaunchCooperativeKernel(kernel, dim3(2), dim3(64), arguments);
}
