// lab1 grayscale_darken: three-dimensional blocks of 16 x 4 x 4, one pixel a thread
// Limit: half-empty sectors: 16 bytes a row of the block
#include "workbook.cuh"

__global__ void deep(const uint8_t* planes, uint8_t* gray, int width, int height) {
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = (blockIdx.y * 4 + threadIdx.z) * 4 + threadIdx.y;
    if (x < width && y < height) {
        int i = y * width + x, n = width * height;
        gray[i] = (uint8_t)((0.3f * planes[i] + 0.59f * planes[n + i] + 0.11f * planes[2 * n + i]) * 0.6f + 0.5f);
    }
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    deep<<<dim3(ceil_div(width, 16), ceil_div(height, 16)), dim3(16, 4, 4)>>>(planar_rgb, gray, width, height);
}
