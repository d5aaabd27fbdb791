// W0207: the number of pixels is declared and never set.
#include "workbook.cuh"

__device__ int level_of(const uint8_t* pixel) {
    return (30 * pixel[0] + 59 * pixel[1] + 11 * pixel[2] + 50) / 100;
}

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) gray[i] = level_of(rgb + 3 * i);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    int pixels;
    grayscale_kernel<<<ceil_div(width * height, 256), 256>>>(rgb, gray, pixels);
}
