// about: Atomics of block scope on shared memory and of system scope on global memory.
// output out: zeroed u32[2] = {32; 64}
// finding: none

#include "workbook.cuh"

__global__ void add(unsigned* out) {
    __shared__ unsigned own;
    if (threadIdx.x == 0) own = 0;
    __syncthreads();
    atomicAdd_block(&own, 1u);
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(&out[0], own);
    atomicAdd_system(&out[1], 1u);
}

void run(unsigned* out) { add<<<2, 32>>>(out); }
