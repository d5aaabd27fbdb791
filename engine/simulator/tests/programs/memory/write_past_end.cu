// about: More threads run than there are elements, and nothing guards the store.
// output out: i32[100] = any
// finding: W0101 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void fill(int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i;  // <- W0101
}

void run(int* out) { fill<<<4, 32>>>(out); }
