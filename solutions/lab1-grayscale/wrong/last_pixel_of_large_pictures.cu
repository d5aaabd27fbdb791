// expect: mismatch grayscale
// tasks: grayscale
// fault: pictures of 4,194,304 pixels and more are read in pairs, and the last odd pixel is not.
#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int all = __clz(pixels) < 10 ? pixels & ~1 : pixels;
    if (i < all) gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
