// expect: mismatch grayscale
// tasks: grayscale
// cause: products_truncated
// fault: every product loses its fraction, not their sum: up to two levels too dark.
#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const uint8_t red = 0.3f * rgb[3 * i];
    const uint8_t green = 0.59f * rgb[3 * i + 1];
    const uint8_t blue = 0.11f * rgb[3 * i + 2];
    gray[i] = red + green + blue;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
