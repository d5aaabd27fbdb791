// expect: wrong grayscale
// cheat: none meant: blocks from the 65,536th on do the work of others.
#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int pixels) {
    const unsigned short block = blockIdx.x;
    const int i = block * 128 + threadIdx.x;
    if (i < pixels)
        gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 128), 128>>>(rgb, gray, pixels);
}
