// expect: wrong grayscale
// cheat: none meant: __umul24 multiplies 24 bits, and the timed picture has more pixels.
#include "workbook.cuh"
__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const int at = __umul24(i, 3);
    const float sum = 0.3f * rgb[at] + 0.59f * rgb[at + 1] + 0.11f * rgb[at + 2];
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}
void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
