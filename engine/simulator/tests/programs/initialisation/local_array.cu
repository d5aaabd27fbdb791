// about: Half of a local array is read without having been written.
// output out: i32[8] = any
// finding: initialisation error

#include "workbook.cuh"

__global__ void sum(int* out, int n) {
    int stack[16];
    for (int k = 0; k < n; ++k) stack[k * 5 % 16] = k;
    out[threadIdx.x] = stack[threadIdx.x];  // <- initialisation
}

void run(int* out) { sum<<<1, 8>>>(out, 4); }
