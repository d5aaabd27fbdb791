// about: Blocks of a cooperative launch meet at a barrier of atomics and a spin, three times.
// output out: i32[256] = 255 - i + 3
// finding: none

#include "workbook.cuh"

__device__ unsigned come = 0;
__device__ volatile int values[256];

__device__ void meet(unsigned round) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&come, 1u);
        while (atomicAdd(&come, 0u) < round * gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void kernel(int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] = i;
    meet(1);
    int mirrored = values[255 - i];
    meet(2);
    values[i] = mirrored + 3;
    meet(3);
    out[i] = values[i];
}

void run(int* out) {
    void* arguments[] = {&out};
    cudaLaunchCooperativeKernel(kernel, dim3(4), dim3(64), arguments);
}
