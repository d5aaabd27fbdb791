// about: What the kernel before has written counts as written.
// output out: i32[64] = 63 - i
// finding: none
// sanitizer: initcheck

#include "workbook.cuh"

__global__ void fill(int* a) { a[blockIdx.x * 32 + threadIdx.x] = blockIdx.x * 32 + threadIdx.x; }
__global__ void reverse(const int* a, int* out) { out[threadIdx.x] = a[63 - threadIdx.x]; }

void run(int* out) {
    int* a = nullptr;
    cudaMalloc(&a, 64 * sizeof(int));
    fill<<<2, 32>>>(a);
    reverse<<<1, 64>>>(a, out);
    cudaFree(a);
}
