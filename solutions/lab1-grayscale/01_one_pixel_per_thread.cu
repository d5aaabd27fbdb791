// Rung 1: one pixel per thread.
//
// Before:   the sequential loop of the CPU reference, which handles one pixel after the other.
// Change:   the loop becomes a grid: every thread has one pixel, and threads past the last pixel
//           return. (Grid layout M2 of the reports: one-dimensional blocks, numbered through the
//           image.)
// Expected: much faster than a CPU, and far below the speed of memory: every access is one byte
//           wide.
#include "workbook.cuh"

constexpr int block_size = 256;  // tune: 32 64 128 256 512 1024
static_assert(block_size % 32 == 0 && block_size <= 1024,
              "whole warps, and at most 1,024 threads");

// ANCHOR: kernel
// 3 * pixels fits an int up to 715 million pixels, so int is wide enough for every index in this
// lab.
__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const float sum = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}
// ANCHOR_END: kernel

__global__ void grayscale_darken_kernel(const uint8_t* __restrict__ planar_rgb,
                                        uint8_t* __restrict__ gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const float sum =
        0.3f * planar_rgb[i] + 0.59f * planar_rgb[pixels + i] + 0.11f * planar_rgb[2 * pixels + i];
    gray[i] = static_cast<uint8_t>(sum * 0.6f + 0.5f);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, block_size), block_size>>>(rgb, gray, pixels);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_darken_kernel<<<ceil_div(pixels, block_size), block_size>>>(planar_rgb, gray, pixels);
}
