// lab1 grayscale: blocks of 32 x 24, one pixel a thread
// Limit: how blocks follow each other
#include "workbook.cuh"

__global__ void kernel(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int i = y * width + x;
    gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    dim3 block(32, 24);
    kernel<<<dim3(ceil_div(width, 32), ceil_div(height, 24)), block>>>(rgb, gray, width, height);
}
