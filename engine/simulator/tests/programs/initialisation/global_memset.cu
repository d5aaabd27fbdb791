// about: The same after cudaMemset.
// output out: i32[32] = 1
// finding: none
// sanitizer: initcheck

#include "workbook.cuh"

__global__ void add(int* scratch, int* out) { out[threadIdx.x] = scratch[threadIdx.x] + 1; }

void run(int* out) {
    int* scratch = nullptr;
    cudaMalloc(&scratch, 32 * sizeof(int));
    cudaMemset(scratch, 0, 32 * sizeof(int));
    add<<<1, 32>>>(scratch, out);
    cudaFree(scratch);
}
