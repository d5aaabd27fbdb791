// about: Two streams change a half of the array each.
// input in: i32[64] = i
// output out: i32[64] = i * 2
// finding: none

#include "workbook.cuh"

__global__ void twice(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

void run(const int* in, int* out) {
    cudaStream_t one, two;
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaMemcpyAsync(out, in, 32 * sizeof(int), cudaMemcpyDeviceToDevice, one);
    cudaMemcpyAsync(out + 32, in + 32, 32 * sizeof(int), cudaMemcpyDeviceToDevice, two);
    twice<<<1, 32, 0, one>>>(out);
    twice<<<1, 32, 0, two>>>(out + 32);
    cudaDeviceSynchronize();
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
}
