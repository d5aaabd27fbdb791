// about: The last steps of a reduction, done by one warp without __syncwarp and without volatile.
// output out: i32[1] = any
// finding: race warning
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void reduce(int* out) {
    __shared__ int part[64];
    const int i = threadIdx.x;
    part[i] = i;
    __syncthreads();
    if (i < 32) {
        part[i] += part[i + 32];  // <- race
        part[i] += part[i + 16];  // <- race, with race
        if (i == 0) *out = part[0];
    }
}

void run(int* out) { reduce<<<1, 64>>>(out); }
