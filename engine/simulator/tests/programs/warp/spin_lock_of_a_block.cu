// about: Every thread of a block waits in a loop of its own for a lock in shared memory: legal since Volta.
// output out: zeroed u32[1] = {1024}
// finding: none

#include "workbook.cuh"

__global__ void add(unsigned* out) {
    __shared__ int lock;
    __shared__ unsigned sum;
    if (threadIdx.x == 0) lock = 0, sum = 0;
    __syncthreads();
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence_block();
    *(volatile unsigned*)&sum += 1;
    __threadfence_block();
    atomicExch(&lock, 0);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(out, sum);
}

void run(unsigned* out) { add<<<4, 256>>>(out); }
