// about: The barrier stands in the first case of a switch: lanes that enter further on never come to it.
// output out: i32[32] = any
// finding: barrier error
// gpu: skip it may hang

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[32];
    volatile int* mine = &tile[threadIdx.x];
    *mine = 0;
    switch (threadIdx.x % 3) {
        case 0: *mine += 1; __syncthreads();  // <- barrier
        case 1: *mine += 10;
        default: *mine += 100;
    }
    out[threadIdx.x] = *mine;
}

void run(int* out) { kernel<<<1, 32>>>(out); }
