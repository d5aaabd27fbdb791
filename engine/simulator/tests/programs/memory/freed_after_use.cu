// about: Freed after the last kernel that uses it: cudaFree waits for the GPU.
// output out: i32[32] = i * 3
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void fill(int* out) { out[threadIdx.x] = 3 * threadIdx.x; }
__global__ void copy(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }

void run(int* out) {
    int* scratch = nullptr;
    cudaMalloc(&scratch, 32 * sizeof(int));
    fill<<<1, 32>>>(scratch);
    copy<<<1, 32>>>(scratch, out);
    cudaFree(scratch);
}
