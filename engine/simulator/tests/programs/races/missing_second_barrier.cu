// about: The loop's next store overtakes slower warps that still read: the barrier at its end is missing.
// output out: i32[64] = any
// finding: race error
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void rotate(int* out, int times) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    int value = i;
    for (int k = 0; k < times; ++k) {
        tile[i] = value;  // <- race
        __syncthreads();
        value = tile[(i + 33) % 64];  // <- with race
    }
    out[i] = value;
}

void run(int* out) { rotate<<<1, 64>>>(out, 3); }
