// about: Lane number and masks of lanes from special registers.
// output out: u32[64] = i % 32 + ((1 << i % 32) - 1 ^ (i % 32 << 8))
// finding: none

#include "workbook.cuh"

__global__ void kernel(unsigned* out) {
    unsigned lane, below;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    out[threadIdx.x] = lane + (below ^ lane << 8);
}

void run(unsigned* out) { kernel<<<1, 64>>>(out); }
