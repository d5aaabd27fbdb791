// about: Half of a warp returns at once; the others' barrier goes on without it.
// output out: i32[32] = any
// finding: W0403 warning
// gpu: skip it may hang

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[32];
    const int i = threadIdx.x;
    tile[i] = i;
    if (i >= 16) return;
    __syncthreads();  // <- W0403
    out[i] = tile[31 - i];
}

void run(int* out) { kernel<<<1, 32>>>(out); }
