// about: One warp waits for a flag that another sets behind a fence.
// output out: zeroed i32[2] = {42; 1}
// finding: none

#include "workbook.cuh"

__global__ void pass(int* out) {
    __shared__ int value, ready;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    if (threadIdx.x == 32) {
        value = 42;
        __threadfence_block();
        atomicExch(&ready, 1);
    }
    if (threadIdx.x == 0) {
        while (atomicAdd(&ready, 0) == 0) {
        }
        __threadfence_block();
        out[0] = value;
        out[1] = ready;
    }
}

void run(int* out) { pass<<<1, 64>>>(out); }
