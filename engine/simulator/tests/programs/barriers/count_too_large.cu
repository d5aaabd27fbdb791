// about: A named barrier that waits for a warp more than comes to it.
// output out: i32[64] = any
// finding: W0404 error
// gpu: skip it hangs

#include "workbook.cuh"

__global__ void kernel(int* out) {
    asm volatile("bar.sync 1, 96;" ::: "memory");  // <- W0404
    out[threadIdx.x] = 1;
}

void run(int* out) { kernel<<<1, 64>>>(out); }
