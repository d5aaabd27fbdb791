// about: Of a host array that is copied whole, the kernel uses what was set: nothing is wrong.
// output out: i32[16] = i
// finding: none

#include "workbook.cuh"

__global__ void copy(const int* table, int* out) { out[threadIdx.x] = table[threadIdx.x]; }

void run(int* out) {
    int table[32];
    for (int i = 0; i < 16; ++i) {
        table[i] = i;
    }
    int* on_gpu = nullptr;
    cudaMalloc(&on_gpu, sizeof(table));
    cudaMemcpy(on_gpu, table, sizeof(table), cudaMemcpyHostToDevice);
    copy<<<1, 16>>>(on_gpu, out);
    cudaFree(on_gpu);
}
