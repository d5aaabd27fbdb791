// about: The default stream waits for the others, and they for it.
// input in: i32[64] = i
// output out: i32[64] = i * 8
// finding: none

#include "workbook.cuh"

__global__ void twice(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

void run(const int* in, int* out) {
    cudaStream_t one, two;
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaMemcpyAsync(out, in, 64 * sizeof(int), cudaMemcpyDeviceToDevice, one);
    twice<<<2, 32, 0, one>>>(out);
    twice<<<2, 32>>>(out);
    twice<<<2, 32, 0, two>>>(out);
    cudaDeviceSynchronize();
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
}
