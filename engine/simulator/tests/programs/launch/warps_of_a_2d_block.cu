// about: Warps are cut from a two-dimensional block row by row.
// output out: u32[80] = i / 32 * 100 + i % 32
// finding: none

#include "workbook.cuh"

__global__ void kernel(unsigned* out) {
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    const unsigned i = threadIdx.y * blockDim.x + threadIdx.x;
    out[i] = i / 32 * 100 + lane;
}

void run(unsigned* out) { kernel<<<1, dim3(10, 8)>>>(out); }
