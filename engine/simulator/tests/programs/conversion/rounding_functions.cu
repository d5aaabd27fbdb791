// about: floor, ceil, trunc, rint and round of floats.
// input in: f32[5] = {2.5; -2.5; 0.5; -1.2; 8388609}
// output out: f32[25] = {2; 3; 2; 2; 3; -3; -2; -2; -2; -3; 0; 1; 0; 0; 1; -2; -1; -1; -1; -1;
//   8388609; 8388609; 8388609; 8388609; 8388609}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const float* in, float* out) {
    const int i = threadIdx.x;
    const float x = in[i];
    out[5 * i] = floorf(x);
    out[5 * i + 1] = ceilf(x);
    out[5 * i + 2] = truncf(x);
    out[5 * i + 3] = rintf(x);
    out[5 * i + 4] = roundf(x);
}

void run(const float* in, float* out) { kernel<<<1, 5>>>(in, out); }
