// about: __syncthreads_count orders as __syncthreads does.
// output out: i32[64] = 63 - i + 64
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void reverse(int* out) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    tile[i] = i;
    const int count = __syncthreads_count(1);
    out[i] = tile[63 - i] + count;
}

void run(int* out) { reverse<<<1, 64>>>(out); }
