// expect: at most 31 points grayscale
// cheat: none meant: one colour is taken out of the pixels as millions of rows of one byte.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, const uint8_t* green, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = (30 * rgb[3 * i] + 59 * green[i] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    uint8_t* green;
    cudaMalloc(&green, pixels);
    cudaMemcpy2D(green, 1, rgb + 1, 3, 1, pixels, cudaMemcpyDeviceToDevice);
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, green, gray, pixels);
    cudaFree(green);
}
