// about: Each half of a warp has a barrier of its own.
// output out: i32[32] = any
// finding: barrier error
// gpu: skip it may hang

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[32];
    const int i = threadIdx.x;
    if (i < 16) {
        tile[i] = 1;
        __syncthreads();  // <- barrier
    } else {
        tile[i] = 2;
        __syncthreads();  // <- barrier
    }
    out[i] = tile[i];
}

void run(int* out) { kernel<<<1, 32>>>(out); }
