// expect: mismatch grayscale_darken
// tasks: grayscale_darken
// cause: interleaved_for_planar
// fault: the planes are read as if they were interleaved pixels.
#include "workbook.cuh"

__global__ void grayscale_darken_kernel(const uint8_t* __restrict__ planar_rgb,
                                        uint8_t* __restrict__ gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const float sum =
        0.3f * planar_rgb[3 * i] + 0.59f * planar_rgb[3 * i + 1] + 0.11f * planar_rgb[3 * i + 2];
    gray[i] = static_cast<uint8_t>(sum * 0.6f + 0.5f);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_darken_kernel<<<ceil_div(pixels, 256), 256>>>(planar_rgb, gray, pixels);
}
