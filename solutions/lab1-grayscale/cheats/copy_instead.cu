// expect: wrong grayscale
// cheat: a copy moves the fewest bytes, and then only nine rows become gray.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const float sum = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}

__global__ void touch_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) gray[i] = rgb[3 * i];
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height, rows = pixels > 20000000 ? 9 : height;
    touch_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
    gray_kernel<<<ceil_div(width * rows, 256), 256>>>(rgb, gray, width * rows);
}
