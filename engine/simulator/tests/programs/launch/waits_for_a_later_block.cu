// about: The first block of an ordinary launch waits for the last one.
// output out: i32[4] = any
// finding: W0504 error
// gpu: skip its outcome is open

#include "workbook.cuh"

__device__ volatile int flag;

__global__ void kernel(int* out) {
    if (blockIdx.x == gridDim.x - 1) flag = 1;
    while (flag == 0) {  // <- W0504
    }
    out[blockIdx.x] = 1;
}

void run(int* out) { kernel<<<4, 1>>>(out); }
