// W0201: only a thread of a later block sets the flag that decides.
#include "workbook.cuh"

__device__ int level_of(const uint8_t* pixel) {
    return (30 * pixel[0] + 59 * pixel[1] + 11 * pixel[2] + 50) / 100;
}

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ int darken;
    if (i == 1000000) darken = rgb[0];
    if (i >= pixels) return;
    gray[i] = level_of(rgb + 3 * i);
    for (int k = 0; k < darken; ++k) gray[i] = gray[i] * 6 / 10;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
