// why: the weights are halves, the products are computed in pairs as floats.
// tasks: grayscale
#include <cuda_fp16.h>
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    // Levels up to 255 are exact in binary16.
    const half2 rg = __floats2half2_rn(rgb[3 * i], rgb[3 * i + 1]);
    const __half b = __int2half_rn(rgb[3 * i + 2]);
    const float2 wide = __half22float2(rg);
    const float sum = 0.3f * wide.x + 0.59f * wide.y + 0.11f * __half2float(b);
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    gray_kernel<<<ceil_div(width * height, 256), 256>>>(rgb, gray, width * height);
}
