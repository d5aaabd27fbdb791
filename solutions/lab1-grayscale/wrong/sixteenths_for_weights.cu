// expect: mismatch grayscale
// tasks: grayscale
// fault: 5, 9 and 2 sixteenths stand for the weights: quick, and up to seven levels off.
#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = (5 * rgb[3 * i] + 9 * rgb[3 * i + 1] + 2 * rgb[3 * i + 2]) >> 4;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
