// about: Scratch memory from cudaMalloc holds nothing: the kernel adds to it as if it were zero.
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
    add<<<1, 32>>>(scratch, out);
    cudaFree(scratch);
}
