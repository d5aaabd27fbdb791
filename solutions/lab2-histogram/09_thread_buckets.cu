// Rung 9: a histogram a thread.
//
// Before:   the lanes of a warp still meet in the warp's counters, and every pixel is an atomic.
// Change:   256 counters a thread, in an array of its own: counting needs no atomic at all. At the
//           end the thread adds each of them to the bins, beginning at a level of its own, so that
//           the lanes of a warp do not queue at the same bin. (A report's "thread-local buckets".)
// Expected: slower than shared counters. An array indexed by data cannot lie in registers: it goes
//           to local memory, which is a piece of global memory, 1 KiB a thread to zero, fill and
//           read again. Better than atomics on the bins where an image has few levels.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int block_size = 128;  // tune: 32 64 128
constexpr int pixels_a_thread = 256;  // fewer than that, and adding costs more than counting

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
    const int grid = ceil_div(pixels, block_size * pixels_a_thread);
    histogram_kernel<<<grid, block_size>>>(gray, bins, pixels);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    const int grid = ceil_div(pixels, block_size * pixels_a_thread);
    gray_histogram_kernel<<<grid, block_size>>>(rgb, gray, bins, pixels);
}
