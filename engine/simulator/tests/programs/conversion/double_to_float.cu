// about: Doubles to floats: rounded, overflown, kept as denormals.
// input in: f64[4] = {0.1; 1e300; 1e-45; -1e-300}
// output out: f32[4] = {0.1; inf; 1e-45; -0.0}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const double* in, float* out) { out[threadIdx.x] = (float)in[threadIdx.x]; }

void run(const double* in, float* out) { kernel<<<1, 4>>>(in, out); }
