// about: Blocks that raise the same flag store equal values: worth a note at the most.
// output out: zeroed i32[1] = 1
// finding: none

#include "workbook.cuh"

__global__ void raise(int* out) {
    if (threadIdx.x == 0) out[0] = 1;
}

void run(int* out) { raise<<<4, 32>>>(out); }
