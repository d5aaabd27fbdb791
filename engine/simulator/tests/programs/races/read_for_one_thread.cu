// about: Conditions that only one thread reads: the compiler joins them with `t == 0` and loads in all threads.
// output out: i32[64] = i == 0 ? 5 : 3 * i
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void decide(int* out) {
    __shared__ int values[64], flag, other;
    const int t = threadIdx.x;
    values[t] = 3 * t;
    if (t == 0) flag = 1, other = 2;
    __syncthreads();
    if (t == 0 && values[0] == 0) values[0] = 1;
    if (t == 0 && flag) flag = 0;
    __syncthreads();
    if (t == 0 && !flag && other == 2) values[0] = flag + 5, other = 3;
    __syncthreads();
    out[t] = values[t];
}

void run(int* out) { decide<<<1, 64>>>(out); }
