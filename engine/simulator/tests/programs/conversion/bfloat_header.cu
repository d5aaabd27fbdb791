// about: cuda_bf16.h: conversions round to the nearest, ties to even; sums and products.
// output out: f32[4] = {256; 260; 3; 0.25}
// finding: none

#include <cuda_bf16.h>

#include "workbook.cuh"

__global__ void kernel(float* out) {
    out[0] = __bfloat162float(__float2bfloat16(257.0f));
    out[1] = __bfloat162float(__float2bfloat16(259.0f));
    out[2] = __nv_bfloat16(1.0f) + __nv_bfloat16(2.0f);
    out[3] = __nv_bfloat16(0.5f) * __nv_bfloat16(0.5f);
}

void run(float* out) { kernel<<<1, 1>>>(out); }
