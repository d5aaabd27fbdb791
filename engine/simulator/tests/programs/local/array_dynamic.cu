// about: An array on the stack with indices that only the running thread knows.
// output out: i32[32] = (i * 7 + 3) % 16 * 10
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void pick(int* out, int factor) {
    int stack[16];
    for (int k = 0; k < 16; ++k) stack[(k * factor) % 16] = (k * factor) % 16 * 10;
    out[threadIdx.x] = stack[(threadIdx.x * 7 + 3) % 16];
}

void run(int* out) { pick<<<1, 32>>>(out, 5); }
