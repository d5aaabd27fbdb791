// Rung 2: coalesced loads.
//
// Before:   a warp of a 16 x 16 block reads two pieces of rows, 16 bytes each, at any offset.
// Change:   one-dimensional blocks, numbered through the image: a warp reads 32 bytes side by side.
// Expected: no gain: the kernel waits for its atomics, not for its loads. (Two reports measured the
//           same time before and after.)
#include "workbook.cuh"

constexpr int block_size = 256;  // tune: 64 128 256 512 1024

__device__ uint32_t gray_of(uint32_t red, uint32_t green, uint32_t blue) {
    return (30 * red + 59 * green + 11 * blue + 50) / 100;
}

// ANCHOR: kernel
// 3 * pixels fits an int up to 715 million pixels, so int is wide enough for every index in this
// lab.
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    atomicAdd(&bins[gray[i]], 1u);
}
// ANCHOR_END: kernel

__global__ void gray_histogram_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                      uint32_t* __restrict__ bins, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const uint32_t level = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
    gray[i] = level;
    atomicAdd(&bins[level], 1u);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, block_size), block_size>>>(gray, bins, pixels);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    gray_histogram_kernel<<<ceil_div(pixels, block_size), block_size>>>(rgb, gray, bins, pixels);
}
