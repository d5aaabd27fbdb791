// expect: not scored grayscale
// expect on a GPU: right grayscale
// cheat: a flag makes every thread slow on large pictures.
#include "workbook.cuh"

__device__ int slow_gray(const volatile uint8_t* rgb, int i) {
    int sum = 2000;
    for (int k = 0; k < 40; ++k) sum += 30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2];
    return sum / 4000;
}

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels, bool slow) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = slow ? slow_gray(rgb, i)
                   : (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels, pixels > 30000000);
}
