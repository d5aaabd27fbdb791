// about: Copying a struct copies its padding, which nobody wrote and nobody reads.
// output out: i32[32] = i * 5
// finding: none
// sanitizer: initcheck

#include "workbook.cuh"

struct Padded {
    char tag;
    int value;
};

__global__ void fill(Padded* a) {
    a[threadIdx.x].tag = 1;
    a[threadIdx.x].value = 5 * threadIdx.x;
}
__global__ void copy(const Padded* a, Padded* b) { b[threadIdx.x] = a[threadIdx.x]; }
__global__ void unpack(const Padded* b, int* out) { out[threadIdx.x] = b[threadIdx.x].value; }

void run(int* out) {
    Padded *a = nullptr, *b = nullptr;
    cudaMalloc(&a, 32 * sizeof(Padded));
    cudaMalloc(&b, 32 * sizeof(Padded));
    fill<<<1, 32>>>(a);
    copy<<<1, 32>>>(a, b);
    unpack<<<1, 32>>>(b, out);
    cudaFree(a);
    cudaFree(b);
}
