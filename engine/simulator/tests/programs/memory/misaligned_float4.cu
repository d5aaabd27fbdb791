// about: A float4 load needs 16 bytes of alignment; four bytes are not enough.
// input in: f32[64] = i
// output out: f32[8] = any
// finding: W0102 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void read(const float* in, float* out) {
    const float4* fours = reinterpret_cast<const float4*>(in + 1);
    const float4 v = fours[threadIdx.x];  // <- W0102
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

void run(const float* in, float* out) { read<<<1, 8>>>(in, out); }
