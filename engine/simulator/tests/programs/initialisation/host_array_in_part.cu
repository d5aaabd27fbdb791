// about: The loop that fills a table from malloc ends one element too early.
// output out: i32[32] = any
// finding: W0202 error

#include <stdlib.h>

#include "workbook.cuh"

__global__ void look_up(const int* table, int* out) {
    out[table[threadIdx.x] & 31] = 1;  // <- W0202
}

void run(int* out) {
    int* table = static_cast<int*>(malloc(32 * sizeof(int)));
    for (int i = 0; i < 31; ++i) {
        table[i] = i;
    }
    int* on_gpu = nullptr;
    cudaMalloc(&on_gpu, 32 * sizeof(int));
    cudaMemcpy(on_gpu, table, 32 * sizeof(int), cudaMemcpyHostToDevice);
    look_up<<<1, 32>>>(on_gpu, out);
    cudaFree(on_gpu);
    free(table);
}
