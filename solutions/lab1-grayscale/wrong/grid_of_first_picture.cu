// expect: mismatch grayscale
// tasks: grayscale
// fault: the grid is computed once, from the first picture, and a larger one is only half done.
#include "workbook.cuh"

__global__ void to_gray(const uint8_t* rgb, uint8_t* gray, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    static const int blocks = ceil_div(width * height, 256);
    to_gray<<<blocks, 256>>>(rgb, gray, width * height);
}
