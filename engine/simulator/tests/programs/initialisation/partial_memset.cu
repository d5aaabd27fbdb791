// about: cudaMemset counts bytes: 32 of them are eight ints.
// output out: i32[32] = any
// finding: initialisation error
// sanitizer: initcheck

#include "workbook.cuh"

__global__ void add(int* scratch, int* out) {
    out[threadIdx.x] = scratch[threadIdx.x] + 1;  // <- initialisation
}

void run(int* out) {
    int* scratch = nullptr;
    cudaMalloc(&scratch, 32 * sizeof(int));
    cudaMemset(scratch, 0, 32);
    add<<<1, 32>>>(scratch, out);
    cudaFree(scratch);
}
