// about: The left neighbour of the first element lies before the buffer.
// input in: f32[32] = i
// output out: f32[32] = any
// finding: W0101 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void difference(const float* in, float* out) {
    const int i = threadIdx.x;
    const float left = in[i - 1];  // <- W0101
    out[i] = in[i] - left;
}

void run(const float* in, float* out) { difference<<<1, 32>>>(in, out); }
