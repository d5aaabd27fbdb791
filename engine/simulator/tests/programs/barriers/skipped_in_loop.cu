// about: `continue` takes the odd lanes past the barrier in every turn of a loop.
// output out: i32[32] = any
// finding: barrier error
// gpu: skip it may hang

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[32];
    const int i = threadIdx.x;
    tile[i] = i;
#pragma unroll 1
    for (int k = 0; k < 3; ++k) {
        if (i % 2 == 1) continue;
        __syncthreads();  // <- barrier
        tile[i] += 1;
    }
    out[i] = tile[i];
}

void run(int* out) { kernel<<<1, 32>>>(out); }
