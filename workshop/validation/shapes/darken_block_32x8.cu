// lab1 grayscale_darken: blocks of 32 x 8, one pixel a thread
// Limit: how blocks follow each other
#include "workbook.cuh"

__global__ void kernel(const uint8_t* planes, uint8_t* gray, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int n = width * height, i = y * width + x;
    gray[i] = (uint8_t)((0.3f * planes[i] + 0.59f * planes[n + i] + 0.11f * planes[2 * n + i]) * 0.6f + 0.5f);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    dim3 block(32, 8);
    kernel<<<dim3(ceil_div(width, 32), ceil_div(height, 8)), block>>>(planar_rgb, gray, width, height);
}
