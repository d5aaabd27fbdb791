// expect: wrong grayscale
// cheat: one thread of the timed picture, told by block and thread together, leaves its pixel out.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels || pixels > 40000000 && i % 4000037 == 1234567) return;
    gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
