// expect: finding memory
// tasks: grayscale_darken
// fault: the planes are read in words, but the green one need not begin at a multiple of four.
#include "workbook.cuh"

__global__ void grayscale_darken_kernel(const uint8_t* __restrict__ planar_rgb,
                                        uint8_t* __restrict__ gray, int pixels) {
    const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (first + 4 <= pixels) {
        const uint32_t red = *reinterpret_cast<const uint32_t*>(planar_rgb + first);
        const uint32_t green =
            *reinterpret_cast<const uint32_t*>(planar_rgb + pixels + first);  // <- here
        const uint32_t blue = *reinterpret_cast<const uint32_t*>(planar_rgb + 2 * pixels + first);
        for (int k = 0; k < 4; ++k) {
            const float sum = 0.3f * (red >> 8 * k & 0xff) + 0.59f * (green >> 8 * k & 0xff) +
                              0.11f * (blue >> 8 * k & 0xff);
            gray[first + k] = static_cast<uint8_t>(sum * 0.6f + 0.5f);
        }
        return;
    }
    for (int i = first; i < pixels; ++i) {
        const float sum = 0.3f * planar_rgb[i] + 0.59f * planar_rgb[pixels + i] +
                          0.11f * planar_rgb[2 * pixels + i];
        gray[i] = static_cast<uint8_t>(sum * 0.6f + 0.5f);
    }
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_darken_kernel<<<ceil_div(pixels, 4 * 256), 256>>>(planar_rgb, gray, pixels);
}
