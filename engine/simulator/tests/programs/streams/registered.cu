// about: Memory from malloc is page-locked, used by an asynchronous copy, and let go.
// input in: i32[64] = i
// output out: i32[64] = i * 2
// finding: none

#include "workbook.cuh"

__global__ void twice(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

void run(const int* in, int* out) {
    int* host = static_cast<int*>(malloc(64 * sizeof(int)));
    if (cudaHostRegister(host, 64 * sizeof(int), cudaHostRegisterDefault) != cudaSuccess) return;
    for (int i = 0; i < 64; ++i) host[i] = i;
    cudaMemcpyAsync(out, host, 64 * sizeof(int), cudaMemcpyHostToDevice);
    twice<<<2, 32>>>(out);
    cudaDeviceSynchronize();
    cudaHostUnregister(host);
    free(host);
}
