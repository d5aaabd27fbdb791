// about: Two streams add to the same counters with atomics.
// input in: i32[64] = i
// output out: zeroed i32[64] = 2
// finding: none

#include "workbook.cuh"

__global__ void count(int* p) { atomicAdd(&p[blockIdx.x * blockDim.x + threadIdx.x], 1); }

void run(const int* in, int* out) {
    cudaStream_t one, two;
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    count<<<2, 32, 0, one>>>(out);
    count<<<2, 32, 0, two>>>(out);
    cudaDeviceSynchronize();
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
}
