// about: A buffer is freed before the kernel that reads it is launched.
// output out: i32[32] = any
// finding: W0103 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void copy(const int* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x];  // <- W0103
}

void run(int* out) {
    int* scratch = nullptr;
    cudaMalloc(&scratch, 32 * sizeof(int));
    cudaMemset(scratch, 0, 32 * sizeof(int));
    cudaFree(scratch);
    copy<<<1, 32>>>(scratch, out);
}
