// expect: mismatch grayscale_darken
// tasks: grayscale_darken
// fault: 3, 6 and 1 tenths stand for the weights.
#include "workbook.cuh"

__global__ void grayscale_darken_kernel(const uint8_t* __restrict__ planar_rgb,
                                        uint8_t* __restrict__ gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const int red = planar_rgb[i], green = planar_rgb[pixels + i];
    const int blue = planar_rgb[2 * pixels + i];
    gray[i] = (3 * red + 6 * green + blue) * 6 / 100;
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_darken_kernel<<<ceil_div(pixels, 256), 256>>>(planar_rgb, gray, pixels);
}
