// lab1 grayscale: full squares of 32 x 32, 64-bit indices, integer weights
// Limit: loads and stores of one byte, 1024 threads a block
#include "workbook.cuh"

__global__ void to_gray(const uint8_t* rgb, uint8_t* gray, size_t width, size_t height) {
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= width || row >= height) return;
    size_t at = row * width + col;
    gray[at] = (30 * rgb[3 * at] + 59 * rgb[3 * at + 1] + 11 * rgb[3 * at + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    dim3 block(32, 32);
    to_gray<<<dim3(ceil_div(width, 32), ceil_div(height, 32)), block>>>(rgb, gray, width, height);
}
