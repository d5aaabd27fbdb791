// about: Memory that is allocated at each call and never freed.
// output out: i32[32] = 5
// finding: W0615 warning

#include "workbook.cuh"

__global__ void fill(int* out, int* scratch) {
    scratch[threadIdx.x] = 5;
    out[threadIdx.x] = scratch[threadIdx.x];
}

void run(int* out) {
    int* scratch = nullptr;
    cudaMalloc(&scratch, 32 * sizeof(int));  // <- W0615
    fill<<<1, 32>>>(out, scratch);
}
