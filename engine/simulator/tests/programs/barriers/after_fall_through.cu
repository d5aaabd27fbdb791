// about: Lanes enter a switch at different places, fall through, and come to the barrier behind it in parts.
// output out: i32[32] = (31 - i) % 3 == 0 ? 111 : (31 - i) % 3 == 1 ? 110 : 100
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[32];
    volatile int* mine = &tile[threadIdx.x];
    *mine = 0;
    switch (threadIdx.x % 3) {
        case 0: *mine += 1;
        case 1: *mine += 10;
        default: *mine += 100;
    }
    __syncthreads();
    out[threadIdx.x] = tile[31 - threadIdx.x];
}

void run(int* out) { kernel<<<1, 32>>>(out); }
