// about: A plain flag between two blocks is no order at all.
// output out: zeroed i32[2] = any
// finding: race error

#include "workbook.cuh"

__global__ void pass(int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0)
        out[0] = 42;  // <- race
    else
        out[1] = out[0];  // <- with race
}

void run(int* out) { pass<<<2, 32>>>(out); }
