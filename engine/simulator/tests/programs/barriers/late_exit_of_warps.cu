// about: Whole warps leave the kernel after the last barrier, others work on.
// output out: i32[96] = i < 32 ? 95 - i : 0
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[96];
    const int i = threadIdx.x;
    tile[i] = i;
    out[i] = 0;
    __syncthreads();
    if (i >= 32) return;
    out[i] = tile[95 - i];
}

void run(int* out) { kernel<<<1, 96>>>(out); }
