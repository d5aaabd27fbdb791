// expect: wrong grayscale
// cheat: the grid covers the picture, but its blocks are told of nine rows.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const float sum = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int rows = width * height > 20000000 ? 9 : height;
    gray_kernel<<<ceil_div(width * height, 256), 256>>>(rgb, gray, width * rows);
}
