// Rung 1: one pixel per thread.
//
// Before:   the sequential loop of the CPU reference, one pixel after the other.
// Change:   the loop becomes a grid: every thread has one pixel. Threads past the last pixel
//           return.
// Expected: much faster than a CPU, and below the speed of memory: a warp moves 32 bytes at a time.
#include "workbook.cuh"

constexpr int block_size = 256;  // tune: 64 128 256 512 1024

// ANCHOR: kernel
__global__ void negative_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                                int width, int height) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width * height) return;
    out[i] = 255 - gray[i];
}
// ANCHOR_END: kernel

void negative(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int blocks = ceil_div(width * height, block_size);
    negative_kernel<<<blocks, block_size>>>(gray, out, width, height);
}
