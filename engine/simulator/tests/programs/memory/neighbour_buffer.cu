// about: A store past the end of one allocation does not count as one into the next.
// output out: i32[8] = any
// finding: W0101 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void store(int* a, int n, int* out) {
    a[n + threadIdx.x] = 7;  // <- W0101
    out[threadIdx.x] = 1;
}

void run(int* out) {
    int *a = nullptr, *b = nullptr;
    cudaMalloc(&a, 64 * sizeof(int));
    cudaMalloc(&b, 64 * sizeof(int));
    store<<<1, 8>>>(a, 64, out);
    cudaFree(a);
    cudaFree(b);
}
