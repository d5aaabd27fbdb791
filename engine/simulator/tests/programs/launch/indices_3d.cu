// about: Blocks and threads in three dimensions, numbered x first.
// output out: u32[192] = i
// finding: none

#include "workbook.cuh"

__global__ void number(unsigned* out) {
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 24 + thread;
}

void run(unsigned* out) { number<<<dim3(2, 2, 2), dim3(2, 3, 4)>>>(out); }
