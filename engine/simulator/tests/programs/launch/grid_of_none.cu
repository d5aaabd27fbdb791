// about: An integer division that rounds down to a grid of no blocks.
// output out: i32[100] = any
// finding: launch error

#include "workbook.cuh"

__global__ void kernel(int* out) { out[threadIdx.x] = 1; }

void run(int* out) { kernel<<<100 / 128, 128>>>(out); }
