// about: Threads return from a loop with a barrier after different numbers of turns.
// output out: i32[64] = any
// finding: W0403 error
// gpu: skip it may hang

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
#pragma unroll 1
    for (int k = 0; k < 64; ++k) {
        tile[i] = k;
        __syncthreads();  // <- W0403
        out[i] = tile[i];
        if (k == i / 32) return;
    }
}

void run(int* out) { kernel<<<1, 64>>>(out); }
