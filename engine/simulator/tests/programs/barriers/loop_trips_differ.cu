// about: A barrier in a loop that the two warps run through a different number of times.
// output out: i32[64] = any
// finding: barrier error
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    const int trips = threadIdx.x < 32 ? 2 : 3;
    int sum = 0;
    for (int k = 0; k < trips; ++k) {
        sum += k;
        __syncthreads();  // <- barrier
    }
    out[threadIdx.x] = sum;
}

void run(int* out) { kernel<<<1, 64>>>(out); }
