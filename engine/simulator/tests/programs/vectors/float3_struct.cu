// about: float3 is twelve bytes, aligned to four.
// input in: f32[33] = i
// output out: f32[11] = in[3 * i] + in[3 * i + 1] * 2 + in[3 * i + 2] * 4
// finding: none

#include "workbook.cuh"

__global__ void dot(const float3* in, float* out) {
    const float3 v = in[threadIdx.x];
    out[threadIdx.x] = v.x + v.y * 2 + v.z * 4;
}

void run(const float* in, float* out) { dot<<<1, 11>>>((const float3*)in, out); }
