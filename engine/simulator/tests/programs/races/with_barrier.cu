// about: The same with a barrier.
// output out: i32[64] = 63 - i
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void reverse(int* out) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    tile[i] = i;
    __syncthreads();
    out[i] = tile[63 - i];
}

void run(int* out) { reverse<<<1, 64>>>(out); }
