// about: In every turn of a loop some lanes work before the barrier and others after it; all come to it.
// output out: i32[32] = i % 2 == 1 ? 8 * i : 8 * i + 7
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[32];
    const int i = threadIdx.x;
    tile[i] = i;
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < 3; ++k) {
        if (i % 2 == 1) tile[i] *= 2;
        __syncthreads();
        if (i % 2 == 0) tile[i] = 2 * tile[i] + 1;
    }
    out[i] = tile[i];
}

void run(int* out) { kernel<<<1, 32>>>(out); }
