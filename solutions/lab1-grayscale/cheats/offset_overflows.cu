// expect: wrong grayscale
// cheat: none meant: an offset that passes 2^32 on its way, in the timed picture only.
#include "workbook.cuh"
__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= pixels) return;
    const unsigned far = 300u * i / 100;
    const float sum = 0.3f * rgb[far] + 0.59f * rgb[far + 1] + 0.11f * rgb[far + 2];
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}
void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
