// expect: at most 43 points grayscale
// cheat: on a large picture each block asks for so much shared memory that one fits at a time.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height, most = 220 * 1024;
    cudaFuncSetAttribute(gray_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    gray_kernel<<<ceil_div(pixels, 256), 256, height > 3000 ? most : 0>>>(rgb, gray, pixels);
}
