// about: Two streams change the same array, and nothing orders them.
// input in: i32[64] = i
// output out: i32[64] = any
// finding: W0308 error

#include "workbook.cuh"

__global__ void twice(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

void run(const int* in, int* out) {
    cudaStream_t one, two;
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaMemcpyAsync(out, in, 64 * sizeof(int), cudaMemcpyDeviceToDevice, one);  // <- with W0308
    twice<<<2, 32, 0, two>>>(out);  // <- W0308
    cudaDeviceSynchronize();
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
}
