// about: An atomic through a pointer that is to shared memory in one block and to global in the other.
// output out: zeroed u32[2] = {32; 32}
// finding: none

#include "workbook.cuh"

__global__ void add(unsigned* out) {
    __shared__ unsigned own;
    if (threadIdx.x == 0) own = 0;
    __syncthreads();
    unsigned* where = blockIdx.x == 0 ? &own : &out[1];
    atomicAdd(where, 1u);
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0) out[0] = own;
}

void run(unsigned* out) { add<<<2, 32>>>(out); }
