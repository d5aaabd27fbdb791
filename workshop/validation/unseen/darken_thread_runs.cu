// lab1 grayscale_darken: each thread eight neighbouring pixels, byte by byte
// Limit: lines that each load of a warp touches: eight bytes apart
#include "workbook.cuh"

__global__ void runs(const uint8_t* p, uint8_t* o, int n) {
    int i = 8 * (blockIdx.x * blockDim.x + threadIdx.x), end = min(i + 8, n);
    for (; i < end; i++) o[i] = (uint8_t)((0.3f * p[i] + 0.59f * p[i + n] + 0.11f * p[i + 2 * n]) * 0.6f + 0.5f);
}

void grayscale_darken(const uint8_t* p, uint8_t* gray, int width, int height) {
    int n = width * height;
    runs<<<ceil_div(n, 8 * 256), 256>>>(p, gray, n);
}
