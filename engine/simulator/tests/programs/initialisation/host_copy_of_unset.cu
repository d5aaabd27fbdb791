// about: What nothing has written stays so when the host copies it into page-locked memory, and in a stream.
// output out: i32[32] = any
// finding: W0204 error

#include <stdlib.h>
#include <string.h>

#include "workbook.cuh"

__global__ void add(const int* table, int* out) {
    out[threadIdx.x] = table[threadIdx.x] + 1;  // <- W0204
}

void run(int* out) {
    int* table = static_cast<int*>(malloc(128));
    int *staging = nullptr, *on_gpu = nullptr;
    cudaMallocHost(&staging, 128);
    cudaMalloc(&on_gpu, 128);
    memcpy(staging, table, 128);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemcpyAsync(on_gpu, staging, 128, cudaMemcpyHostToDevice, stream);
    add<<<1, 32, 0, stream>>>(on_gpu, out);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaFree(on_gpu);
    cudaFreeHost(staging);
    free(table);
}
