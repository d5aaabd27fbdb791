// about: Every block stores its own value to the same element of global memory.
// output out: i32[1] = any
// finding: race error

#include "workbook.cuh"

__global__ void store(int* out) {
    if (threadIdx.x == 0) out[0] = blockIdx.x;  // <- race
}

void run(int* out) { store<<<4, 32>>>(out); }
