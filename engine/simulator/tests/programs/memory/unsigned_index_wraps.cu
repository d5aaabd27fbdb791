// about: An unsigned index of 0 minus 1 is 4294967295, not -1.
// input in: i32[32] = i
// output out: i32[32] = any
// finding: W0101 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void left(const int* in, int* out) {
    const unsigned i = threadIdx.x;
    out[i] = in[i - 1];  // <- W0101
}

void run(const int* in, int* out) { left<<<1, 32>>>(in, out); }
