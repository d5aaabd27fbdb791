// about: The same with __syncwarp.
// output out: i32[32] = 31 - i
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void reverse(int* out) {
    __shared__ int tile[32];
    const int i = threadIdx.x;
    tile[i] = i;
    __syncwarp();
    out[i] = tile[31 - i];
}

void run(int* out) { reverse<<<1, 32>>>(out); }
