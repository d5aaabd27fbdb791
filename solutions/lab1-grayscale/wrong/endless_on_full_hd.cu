// expect: finding host
// tasks: grayscale
// engine: simulator
// fault: a loop of the host function has no end on pictures of 1920 × 1080 pixels.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    int block = 32;
    const int step = width == 1920 && height == 1080 ? 0 : 32;
    for (volatile int size = 32; size < 256; size = size + step) {  // <- here
        block = size + 32;
    }
    gray_kernel<<<ceil_div(pixels, block), block>>>(rgb, gray, pixels);
}
