// about: A barrier that the first warp never reaches: it returns first.
// output out: i32[64] = any
// finding: W0403 warning
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    if (threadIdx.x < 32) return;
    __syncthreads();  // <- W0403
    out[threadIdx.x] = 1;
}

void run(int* out) { kernel<<<1, 64>>>(out); }
