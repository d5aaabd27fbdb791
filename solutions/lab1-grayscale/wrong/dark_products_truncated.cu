// expect: mismatch grayscale_darken
// tasks: grayscale_darken
// fault: every product is a whole number of levels before they are added.
#include "workbook.cuh"

__global__ void grayscale_darken_kernel(const uint8_t* __restrict__ planar_rgb,
                                        uint8_t* __restrict__ gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const int red = planar_rgb[i], green = planar_rgb[pixels + i];
    const int blue = planar_rgb[2 * pixels + i];
    gray[i] = red * 18 / 100 + green * 35 / 100 + blue * 6 / 100;
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_darken_kernel<<<ceil_div(pixels, 256), 256>>>(planar_rgb, gray, pixels);
}
