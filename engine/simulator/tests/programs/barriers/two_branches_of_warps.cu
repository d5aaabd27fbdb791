// about: Two warps meet at different barriers; the hardware counts both as one.
// output out: i32[64] = any
// finding: W0402 error
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    if (i < 32) {
        tile[i] = 1;
        __syncthreads();  // <- W0402
    } else {
        tile[i] = 2;
        __syncthreads();  // <- W0402
    }
    out[i] = tile[i];
}

void run(int* out) { kernel<<<1, 64>>>(out); }
