// about: cuda_fp16.h: conversions, sums, products and comparisons of single numbers and pairs.
// input in: f32[32] = i * 0.25
// output out: f32[32] = in[i] * in[i] + 2
// output pair: f32[32] = 2 * in[i]
// finding: none

#include <cuda_fp16.h>

#include "workbook.cuh"

__global__ void kernel(const float* in, float* out, float* pair) {
    const int i = threadIdx.x;
    const half x = __float2half(in[i]);
    half sum = __hfma(x, x, __int2half_rn(2));
    if (__hgt(sum, half(2000.0f))) sum = half(0.0f);
    out[i] = __half2float(sum);
    const half2 two = __floats2half2_rn(in[i], 1.0f);
    pair[i] = __low2float(__hadd2(two, two)) * __half2float(__high2half(two));
}

void run(const float* in, float* out, float* pair) { kernel<<<1, 32>>>(in, out, pair); }
