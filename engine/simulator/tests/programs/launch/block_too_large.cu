// about: A block of more than 1024 threads.
// output out: i32[4] = any
// finding: launch error

#include "workbook.cuh"

__global__ void kernel(int* out) { out[threadIdx.x % 4] = 1; }

void run(int* out) { kernel<<<1, 1025>>>(out); }
