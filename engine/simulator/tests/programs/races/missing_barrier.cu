// about: Nothing orders the stores to the tile before the loads of other warps' elements, some of which come first.
// output out: i32[64] = any
// finding: race error
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void reverse(int* out) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    tile[i] = i;  // <- race
    out[i] = tile[63 - i];  // <- with race
}

void run(int* out) { reverse<<<1, 64>>>(out); }
