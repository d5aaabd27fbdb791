// about: A named barrier whose number of threads is no multiple of a warp.
// output out: i32[64] = any
// finding: W0406 error
// gpu: skip it may hang

#include "workbook.cuh"

__global__ void kernel(int* out, int count) {
    asm volatile("bar.sync 1, %0;" ::"r"(count) : "memory");  // <- W0406
    out[threadIdx.x] = 1;
}

void run(int* out) { kernel<<<1, 64>>>(out, 40); }
