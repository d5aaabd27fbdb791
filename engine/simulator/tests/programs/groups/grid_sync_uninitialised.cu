// about: Behind the barrier of the grid every block reads its own shared memory, which only the first one has written.
// output out: i32[64] = any
// finding: initialisation error

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__global__ void kernel(int* out) {
    __shared__ int shared[32];
    if (blockIdx.x == 0) shared[threadIdx.x] = threadIdx.x;
    cg::this_grid().sync();
    const int value = shared[31 - threadIdx.x];
    out[blockIdx.x * 32 + threadIdx.x] = value;  // <- initialisation
}

void run(int* out) {
    void* arguments[] = {&out};
    cudaLaunchCooperativeKernel(kernel, dim3(2), dim3(32), arguments);
}
