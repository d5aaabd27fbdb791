// W0702: the lanes of a warp use words that are 32 words apart: all in one bank.
#include "workbook.cuh"

__device__ int level_of(const uint8_t* pixel) {
    return (30 * pixel[0] + 59 * pixel[1] + 11 * pixel[2] + 50) / 100;
}

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ int level[256][32];
    level[threadIdx.x][0] = i < pixels ? level_of(rgb + 3 * i) : 0;
    if (i < pixels) gray[i] = level[threadIdx.x][0];
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
