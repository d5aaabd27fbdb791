// about: Even and odd lanes come to one barrier in different turns of a loop: half of the warp each time.
// output out: i32[32] = any
// finding: barrier error
// gpu: skip it may hang

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[32];
    const int i = threadIdx.x;
    tile[i] = i;
#pragma unroll 1
    for (int k = 0; k < 2; ++k) {
        if (i % 2 == k) __syncthreads();  // <- barrier
    }
    out[i] = tile[31 - i];
}

void run(int* out) { kernel<<<1, 32>>>(out); }
