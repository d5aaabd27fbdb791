// about: The first block of a cooperative launch waits for a flag that the last one sets.
// output out: i32[4] = 7 + i
// finding: none

#include "workbook.cuh"

__device__ volatile int flag;
__device__ int value;

__global__ void kernel(int* out) {
    if (blockIdx.x == gridDim.x - 1) {
        value = 7;
        __threadfence();
        flag = 1;
    }
    while (flag == 0) {
    }
    __threadfence();
    out[blockIdx.x] = value + blockIdx.x;
}

void run(int* out) {
    void* arguments[] = {&out};
    cudaLaunchCooperativeKernel(kernel, dim3(4), dim3(1), arguments);
}
