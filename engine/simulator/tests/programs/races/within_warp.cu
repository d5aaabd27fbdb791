// about: Lanes of one warp exchange through shared memory without __syncwarp: a race since Volta.
// output out: i32[32] = any
// finding: race warning
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void reverse(int* out) {
    __shared__ int tile[32];
    const int i = threadIdx.x;
    tile[i] = i;  // <- race
    out[i] = tile[31 - i];  // <- with race
}

void run(int* out) { reverse<<<1, 32>>>(out); }
