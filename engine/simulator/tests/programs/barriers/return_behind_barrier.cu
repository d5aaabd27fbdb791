// about: The same half returns behind the barrier.
// output out: zeroed i32[32] = i < 16 ? 31 - i : 0
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[32];
    const int i = threadIdx.x;
    tile[i] = i;
    __syncthreads();
    if (i >= 16) return;
    out[i] = tile[31 - i];
}

void run(int* out) { kernel<<<1, 32>>>(out); }
