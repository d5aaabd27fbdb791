// about: All blocks of a cooperative launch wait for a flag that none sets.
// output out: i32[4] = any
// finding: W0504 error
// gpu: skip it hangs

#include "workbook.cuh"

__device__ volatile int flag;

__global__ void kernel(int* out) {
    while (flag == 0) {  // <- W0504
    }
    out[blockIdx.x] = flag;
}

void run(int* out) {
    void* arguments[] = {&out};
    cudaLaunchCooperativeKernel(kernel, dim3(4), dim3(1), arguments);
}
