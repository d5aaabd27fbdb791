// about: The total is read while other warps still add to it.
// output out: i32[1] = any
// finding: race error
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void sum(int* out) {
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    atomicAdd(&total, (int)threadIdx.x);  // <- race
    if (threadIdx.x == 0) *out = total;  // <- with race
}

void run(int* out) { sum<<<1, 128>>>(out); }
