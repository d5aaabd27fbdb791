// family: shared-memory staging
// style: textbook: vectors of 16 bytes to shared memory, a barrier, words out of it
// expected bottleneck: memory bandwidth, with a barrier between load and use in each block
#include "workbook.cuh"

constexpr int threads = 256;
constexpr int tile = threads * 4;  // pixels

__global__ void gray_staged(const uint8_t* rgb, uint8_t* gray, int pixels) {
    __shared__ uint4 stage[tile * 3 / 16];
    int first = blockIdx.x * tile;
    int count = min(tile, pixels - first);
    int t = threadIdx.x;
    if (count == tile) {
        const uint4* from = (const uint4*)(rgb + (size_t)first * 3);
        if (t < tile * 3 / 16) stage[t] = from[t];
    } else {
        uint8_t* bytes = (uint8_t*)stage;
        for (int i = t; i < count * 3; i += threads) bytes[i] = rgb[(size_t)first * 3 + i];
    }
    __syncthreads();
    const uint8_t* mine = (const uint8_t*)stage + t * 12;
    uint32_t word = 0;
    for (int k = 0; k < 4; k++) {
        if (4 * t + k < count) {
            float v = 0.3f * mine[3 * k] + 0.59f * mine[3 * k + 1] + 0.11f * mine[3 * k + 2];
            uint32_t level = (uint32_t)(v + 0.5f);
            word |= level << (8 * k);
            if (count != tile) gray[first + 4 * t + k] = level;
        }
    }
    if (count == tile) ((uint32_t*)(gray + first))[t] = word;
}

__global__ void dark_staged(const uint8_t* planes, uint8_t* gray, int pixels) {
    __shared__ uint8_t stage[3][tile];
    int first = blockIdx.x * tile;
    int count = min(tile, pixels - first);
    for (int c = 0; c < 3; c++)
        for (int i = threadIdx.x; i < count; i += threads)
            stage[c][i] = planes[(size_t)c * pixels + first + i];
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        int i = 4 * threadIdx.x + k;
        if (i < count) {
            float v = 0.3f * stage[0][i] + 0.59f * stage[1][i] + 0.11f * stage[2][i];
            gray[first + i] = (uint8_t)(v * 0.6f + 0.5f);
        }
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    int n = width * height;
    gray_staged<<<ceil_div(n, tile), threads>>>(rgb, gray, n);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    int n = width * height;
    dark_staged<<<ceil_div(n, tile), threads>>>(planar_rgb, gray, n);
}
