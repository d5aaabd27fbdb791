// about: The last thread reads one element past the end of a buffer.
// input in: i32[64] = i
// output out: i32[64] = any
// finding: W0101 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void shift_left(const int* in, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + 1];  // <- W0101
}

void run(const int* in, int* out) { shift_left<<<2, 32>>>(in, out); }
