// about: Floats whose sums are exact give the same result in any order.
// input in: f32[256] = i % 8 * 0.125
// output out: zeroed f32[1] = 112.0
// finding: none

#include "workbook.cuh"

__global__ void sum(const float* in, float* out) {
    atomicAdd(out, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

void run(const float* in, float* out) { sum<<<4, 64>>>(in, out); }
