// about: The same condition, read by all threads: the barrier before the store is missing.
// output out: i32[64] = any
// finding: race error
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void decide(int* out) {
    __shared__ int flag;
    const int t = threadIdx.x;
    if (t == 0) flag = 1;
    __syncthreads();
    out[t] = t != 32 || flag ? t : 0;  // <- race
    if (t == 0 && flag) flag = 0;      // <- with race
}

void run(int* out) { decide<<<1, 64>>>(out); }
