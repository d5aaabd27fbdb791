// expect: wrong grayscale
// cheat: where the buffers lie far apart, nine rows become gray.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const long long apart = gray > rgb ? gray - rgb : rgb - gray;
    const int pixels = width * (apart > 30000000 ? min(height, 9) : height);
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
