// about: Managed memory: filled by the host, doubled by a kernel, changed, doubled again.
// input in: i32[64] = i
// output out: i32[64] = i * 2 + 2
// finding: none

#include "workbook.cuh"

__global__ void twice(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

void run(const int* in, int* out) {
    int* managed;
    cudaMallocManaged(&managed, 64 * sizeof(int));
    for (int i = 0; i < 64; ++i) managed[i] = i;
    twice<<<2, 32>>>(managed);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i) managed[i] = managed[i] / 2 + 1;
    twice<<<2, 32>>>(managed);
    cudaMemcpy(out, managed, 64 * sizeof(int), cudaMemcpyDefault);
    cudaFree(managed);
}
