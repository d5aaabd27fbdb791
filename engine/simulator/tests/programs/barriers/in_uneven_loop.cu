// about: The barrier stands in a loop that lanes of one warp leave after different numbers of turns: some cannot come, and are told of once.
// output out: zeroed i32[64] = any
// finding: W0401 error
// gpu: skip it may hang

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    tile[i] = 0;
#pragma unroll 1
    for (int k = 0; k <= i % 4; ++k) {
        tile[i] += 1;
        __syncthreads();  // <- W0401
    }
    out[i] = tile[i];
}

void run(int* out) { kernel<<<1, 64>>>(out); }
