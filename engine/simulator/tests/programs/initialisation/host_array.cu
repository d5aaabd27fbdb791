// about: An array of the host function is copied to the GPU before anything is in it.
// output out: i32[32] = any
// finding: W0204 error
// sanitizer: initcheck

#include "workbook.cuh"

__global__ void add(const int* table, int* out) {
    out[threadIdx.x] = table[threadIdx.x] + 1;  // <- W0204
}

void run(int* out) {
    int table[32];
    int* on_gpu = nullptr;
    cudaMalloc(&on_gpu, sizeof(table));
    cudaMemcpy(on_gpu, table, sizeof(table), cudaMemcpyHostToDevice);
    add<<<1, 32>>>(on_gpu, out);
    cudaFree(on_gpu);
}
