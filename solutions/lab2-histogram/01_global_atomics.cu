// Rung 1: atomics in global memory.
//
// Before:   the sequential loop of the CPU reference. Its `bins[level] += 1` is a load, an addition
//           and a store: two threads with the same bin would lose counts between them.
// Change:   every thread has one pixel and adds 1 to its bin with an atomic, which no other thread
//           can interrupt. Blocks are 16 x 16 threads, as in a report.
// Expected: right, and slow: all threads of the GPU queue at 256 addresses. The fewer levels an
//           image has, the longer the queues. One level is the worst case.
#include "workbook.cuh"

constexpr int block_side = 16;  // tune: 8 16 32
static_assert(block_side * block_side <= 1024, "a block has at most 1,024 threads");

// A grid has at most this many blocks in y; threads loop over the rows of taller images.
constexpr int max_grid_height = 65535;

dim3 grid_for(int width, int height) {
    const int rows = ceil_div(height, block_side);
    return dim3(ceil_div(width, block_side), rows < max_grid_height ? rows : max_grid_height);
}

// Whole hundredths, rounded: exact, so that its histogram is too.
__device__ uint32_t gray_of(uint32_t red, uint32_t green, uint32_t blue) {
    return (30 * red + 59 * green + 11 * blue + 50) / 100;
}

// ANCHOR: kernel
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y)
        atomicAdd(&bins[gray[y * width + x]], 1u);
}
// ANCHOR_END: kernel

__global__ void gray_histogram_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                      uint32_t* __restrict__ bins, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        const int i = y * width + x;
        const uint32_t level = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
        gray[i] = level;
        atomicAdd(&bins[level], 1u);
    }
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const dim3 block(block_side, block_side);
    histogram_kernel<<<grid_for(width, height), block>>>(gray, bins, width, height);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const dim3 block(block_side, block_side);
    gray_histogram_kernel<<<grid_for(width, height), block>>>(rgb, gray, bins, width, height);
}
