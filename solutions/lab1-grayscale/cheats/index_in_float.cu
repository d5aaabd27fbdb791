// expect: wrong grayscale
// cheat: none meant: a float holds no odd index above 2^24.
#include "workbook.cuh"
__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const float index = blockIdx.x * 256.0f + threadIdx.x;
    const int i = index;
    if (i >= pixels) return;
    const float sum = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}
void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
