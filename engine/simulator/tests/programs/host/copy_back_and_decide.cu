// about: The host function reads a result and launches accordingly.
// input in: i32[32] = i % 10
// output out: i32[32] = i * 9
// finding: none

#include "workbook.cuh"

__global__ void largest(const int* in, int* out) { atomicMax(out, in[threadIdx.x]); }
__global__ void scale(int* out, int by) { out[threadIdx.x] = threadIdx.x * by; }

void run(const int* in, int* out) {
    int* found = nullptr;
    cudaMalloc(&found, sizeof(int));
    cudaMemset(found, 0, sizeof(int));
    largest<<<1, 32>>>(in, found);
    int by = 0;
    cudaMemcpy(&by, found, sizeof(int), cudaMemcpyDeviceToHost);
    scale<<<1, 32>>>(out, by);
    cudaFree(found);
}
