// about: Two buffers that take turns over several launches.
// input in: i32[64] = i
// output out: i32[64] = (i + 6) % 64
// finding: none

#include "workbook.cuh"

__global__ void rotate(const int* from, int* to) { to[threadIdx.x] = from[(threadIdx.x + 1) % 64]; }

void run(const int* in, int* out) {
    int* buffers[2] = {};
    for (int k = 0; k < 2; ++k) cudaMalloc(&buffers[k], 64 * sizeof(int));
    rotate<<<1, 64>>>(in, buffers[0]);
    for (int k = 1; k < 6; ++k) rotate<<<1, 64>>>(buffers[(k + 1) % 2], buffers[k % 2]);
    cudaMemcpy(out, buffers[1], 64 * sizeof(int), cudaMemcpyDeviceToDevice);
    for (int k = 0; k < 2; ++k) cudaFree(buffers[k]);
}
