// expect: at most 48 points grayscale
// expect on a GPU: right grayscale
// cheat: another kernel runs on large pictures than on small ones.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const float sum = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}

__global__ void slow_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    int sum = 50;
    for (int k = 0; k < 40; ++k) sum += 30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2];
    gray[i] = sum / 4000;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    auto kernel = height < 2200 ? gray_kernel : slow_kernel;
    kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
