// about: Lanes of a warp leave a loop after different numbers of turns and meet at the barrier behind it.
// output out: zeroed i32[64] = (63 - i) % 4
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    int turns = 0;
#pragma unroll 1
    for (int k = 0; k < i % 4; ++k) turns += out[0] == 12345 ? 2 : 1;
    tile[i] = turns;
    __syncthreads();
    out[i] = tile[63 - i];
}

void run(int* out) { kernel<<<1, 64>>>(out); }
