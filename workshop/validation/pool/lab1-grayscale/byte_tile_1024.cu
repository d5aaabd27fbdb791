// family: shared tile
// Style: blocks of 1024 that stage their pixels in shared memory byte by byte, two per thread.
// Limit: two barriers a block of the largest size, byte accesses to shared memory everywhere.
#include "workbook.cuh"

constexpr int threads = 1024;
constexpr int per_block = 2 * threads;

__global__ void __launch_bounds__(threads, 2) tiled_gray(const uint8_t* rgb, uint8_t* gray, int n) {
    __shared__ uint8_t tile[3 * per_block];
    __shared__ uint8_t result[per_block];
    const int base = blockIdx.x * per_block;
    const int count = min(per_block, n - base);
#pragma unroll
    for (int k = 0; k < 6; ++k) {
        const int i = k * threads + threadIdx.x;
        if (i < 3 * count) tile[i] = rgb[3 * base + i];
    }
    __syncthreads();  // a pixel's three bytes came from different threads
    for (int i = threadIdx.x; i < count; i += threads)
        result[i] = (77 * tile[3 * i] + 151 * tile[3 * i + 1] + 28 * tile[3 * i + 2] + 128) >> 8;
    __syncthreads();  // results leave in words that four threads made
    for (int i = threadIdx.x; i < count / 4; i += threads)
        reinterpret_cast<uchar4*>(gray + base)[i] =
            make_uchar4(result[4 * i], result[4 * i + 1], result[4 * i + 2], result[4 * i + 3]);
    if (threadIdx.x < count % 4) {
        const int i = count - 1 - threadIdx.x;
        gray[base + i] = result[i];
    }
}

__global__ void __launch_bounds__(threads) tiled_dark(const uint8_t* planes, uint8_t* gray, int n) {
    __shared__ uint8_t tile[3][threads];
    const int i = blockIdx.x * threads + threadIdx.x;
    for (int c = 0; c < 3; ++c)
        if (i < n) tile[c][threadIdx.x] = planes[c * n + i];
    __syncthreads();
    if (i >= n) return;
    const int sum =
        30 * tile[0][threadIdx.x] + 59 * tile[1][threadIdx.x] + 11 * tile[2][threadIdx.x];
    gray[i] = (sum * 3 + 250) / 500;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    tiled_gray<<<ceil_div(n, per_block), threads>>>(rgb, gray, n);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    tiled_dark<<<ceil_div(n, threads), threads>>>(planar_rgb, gray, n);
}
