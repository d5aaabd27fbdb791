// lab1 grayscale_darken: plain one pixel a thread, weights without f: double arithmetic, 512 threads
// Limit: double arithmetic and conversions
#include "workbook.cuh"

__global__ void darken(const uint8_t* planes, uint8_t* gray, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) gray[i] = (planes[i] * 0.3 + planes[i + n] * 0.59 + planes[i + 2 * n] * 0.11) * 0.6 + 0.5;
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    int n = width * height;
    darken<<<(n + 511) / 512, 512>>>(planar_rgb, gray, n);
}
