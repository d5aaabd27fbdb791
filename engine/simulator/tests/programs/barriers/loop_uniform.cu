// about: A barrier in a loop that all threads run through equally often.
// output out: i32[64] = (i + 5) % 64
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void rotate(int* out, int times) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    int value = i;
    for (int k = 0; k < times; ++k) {
        tile[i] = value;
        __syncthreads();
        value = tile[(i + 1) % 64];
        __syncthreads();
    }
    out[i] = value;
}

void run(int* out) { rotate<<<1, 64>>>(out, 5); }
