// W0701: neighbouring threads take pixels that are 64 apart.
#include "workbook.cuh"

__device__ int level_of(const uint8_t* pixel) {
    return (30 * pixel[0] + 59 * pixel[1] + 11 * pixel[2] + 50) / 100;
}

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int pixel = i % 64 * 64 + i / 64 % 64 + i / 4096 * 4096;
    if (pixel < pixels)
        gray[pixel] = level_of(rgb + 3 * pixel);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<16 * ceil_div(pixels, 4096), 256>>>(rgb, gray, pixels);
}
