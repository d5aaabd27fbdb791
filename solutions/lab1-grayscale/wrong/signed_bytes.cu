// expect: mismatch grayscale
// tasks: grayscale
// fault: a `char` has a sign: levels from 128 on are negative.
#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const signed char red = rgb[3 * i], green = rgb[3 * i + 1], blue = rgb[3 * i + 2];
    gray[i] = (30 * red + 59 * green + 11 * blue + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
