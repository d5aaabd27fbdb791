// about: The host fills half of a managed array, and the kernel uses all of it.
// output out: i32[32] = any
// finding: W0204 error

#include "workbook.cuh"

__global__ void add(const int* table, int* out) {
    out[threadIdx.x] = table[threadIdx.x] + 1;  // <- W0204
}

void run(int* out) {
    int* table = nullptr;
    cudaMallocManaged(&table, 32 * sizeof(int));
    for (int i = 0; i < 16; ++i) {
        table[i] = i;
    }
    add<<<1, 32>>>(table, out);
    cudaDeviceSynchronize();
    cudaFree(table);
}
