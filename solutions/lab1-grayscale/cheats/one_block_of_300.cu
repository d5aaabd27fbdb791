// expect: not scored grayscale
// expect on a GPU: at most 36 points grayscale
// cheat: one block of 300 does its work again and again on a large picture.
#include "workbook.cuh"

__global__ void gray_kernel(const volatile uint8_t* rgb, uint8_t* gray, int pixels, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    for (int k = blockIdx.x % 300 == 7 ? rounds : 1; k > 0; --k)
        gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels, height > 3000 ? 3000 : 1);
}
