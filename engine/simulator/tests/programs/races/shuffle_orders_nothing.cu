// about: A shuffle between a store and a load of another lane does not order them.
// output out: i32[32] = any
// finding: race warning
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void reverse(int* out) {
    __shared__ int tile[32];
    const int i = threadIdx.x;
    tile[i] = i;  // <- race
    const int other = __shfl_xor_sync(0xffffffffu, i, 1);
    out[i] = tile[31 - i] + other;  // <- with race
}

void run(int* out) { reverse<<<1, 32>>>(out); }
