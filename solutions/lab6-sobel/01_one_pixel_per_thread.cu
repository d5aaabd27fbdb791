// Rung 1: one pixel per thread, eight loads.
//
// Before:   the sequential loop of the CPU reference, one pixel after the other.
// Change:   the loop becomes a grid: every thread has one pixel and loads its eight neighbours.
//           A neighbour outside the image is replaced by the nearest pixel: its row and its column
//           are clamped. Threads past the last pixel return.
// Expected: much faster than a CPU, and far below the speed of memory: every byte is requested
//           eight times, and each request needs four comparisons first.
#include "workbook.cuh"

constexpr int block_size = 256;  // tune: 64 128 256 512 1024
static_assert(block_size % 32 == 0 && block_size <= 1024,
              "whole warps, and at most 1,024 threads");

// ANCHOR: kernel
// The pixel of the image that is nearest to column x and row y.
__device__ int nearest(const uint8_t* gray, int x, int y, int width, int height) {
    const int column = min(max(x, 0), width - 1), row = min(max(y, 0), height - 1);
    return gray[row * width + column];
}

__global__ void sobel_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int width,
                             int height) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width * height) return;
    const int x = i % width, y = i / width;
    const auto at = [&](int dx, int dy) { return nearest(gray, x + dx, y + dy, width, height); };
    const int gx = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
    const int gy = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
    out[i] = min(abs(gx) + abs(gy), 255);
}
// ANCHOR_END: kernel

void sobel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int blocks = ceil_div(width * height, block_size);
    sobel_kernel<<<blocks, block_size>>>(gray, out, width, height);
}
