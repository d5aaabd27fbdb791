// about: A grid-stride loop covers any length with any grid.
// input in: i32[1000] = i
// output out: i32[1000] = in[i] * in[i]
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void square(const int* in, int* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i] * in[i];
}

void run(const int* in, int* out) { square<<<3, 64>>>(in, out, 1000); }
