// Rung 4: privatize the histogram per thread.
//
// Before:   every pixel is an atomic on one of 256 addresses that the whole GPU shares.
// Change:   256 private counters per thread, in an array: counting needs no atomic at all. At the
//           end the thread adds its counters to the bins. Each thread begins at another level, so
//           that the lanes of a warp do not queue at the same bin. (A report's "thread-local
//           buckets".)
// Expected: better than atomics on the bins, and far from good. An array that is indexed by data
//           cannot be in registers: it is in local memory, a part of global memory. Each thread has
//           to zero, fill and read 1 KiB of it.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int block_size = 128;  // tune: 32 64 128
constexpr int pixels_per_thread = 256;  // fewer than that, and adding costs more than counting

__device__ uint32_t gray_of(uint32_t red, uint32_t green, uint32_t blue) {
    return (30 * red + 59 * green + 11 * blue + 50) / 100;
}

__device__ void zero(uint32_t* counts) {
    for (int level = 0; level < levels; ++level) counts[level] = 0;
}

// ANCHOR: add_to_bins
__device__ void add_to_bins(uint32_t* bins, const uint32_t* counts) {
    for (int k = 0; k < levels; ++k) {
        const int level = (k + threadIdx.x) % levels;
        if (counts[level] > 0) atomicAdd(&bins[level], counts[level]);
    }
}
// ANCHOR_END: add_to_bins

// ANCHOR: kernel
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    uint32_t counts[levels];
    zero(counts);
    const int thread = blockIdx.x * block_size + threadIdx.x;
    const int stride = gridDim.x * block_size;
    for (int i = thread; i < pixels; i += stride) counts[gray[i]] += 1;
    add_to_bins(bins, counts);
}
// ANCHOR_END: kernel

__global__ void gray_histogram_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                      uint32_t* __restrict__ bins, int pixels) {
    uint32_t counts[levels];
    zero(counts);
    const int thread = blockIdx.x * block_size + threadIdx.x;
    const int stride = gridDim.x * block_size;
    for (int i = thread; i < pixels; i += stride) {
        const uint32_t level = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
        gray[i] = level;
        counts[level] += 1;
    }
    add_to_bins(bins, counts);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    const int grid = ceil_div(pixels, block_size * pixels_per_thread);
    histogram_kernel<<<grid, block_size>>>(gray, bins, pixels);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    const int grid = ceil_div(pixels, block_size * pixels_per_thread);
    gray_histogram_kernel<<<grid, block_size>>>(rgb, gray, bins, pixels);
}
