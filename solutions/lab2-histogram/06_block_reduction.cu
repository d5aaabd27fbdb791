// Rung 6: add up the threads' histograms in the block.
//
// Before:   in rung 4 every thread adds up to 256 counters to the bins, with atomics on global
//           memory.
// Change:   the block first adds the counters of its threads, with the reduction of rung 5, one
//           level after the other. That leaves one atomic per level and block. (A report's
//           "thread-local buckets with block-level reduction".)
// Expected: few atomics; instead 256 times seven steps, each with a barrier. Local memory stays as
//           slow as it was.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int block_size = 128;
constexpr int pixels_per_thread = 256;
static_assert((block_size & (block_size - 1)) == 0, "the reduction halves the block down to one");

__device__ uint32_t gray_of(uint32_t red, uint32_t green, uint32_t blue) {
    return (30 * red + 59 * green + 11 * blue + 50) / 100;
}

__device__ void zero(uint32_t* counts) {
    for (int level = 0; level < levels; ++level) counts[level] = 0;
}

// ANCHOR: add_to_bins
// All threads of the block take part.
__device__ void add_to_bins(uint32_t* bins, const uint32_t* counts) {
    __shared__ uint32_t sums[block_size];
    for (int level = 0; level < levels; ++level) {
        sums[threadIdx.x] = counts[level];
        __syncthreads();  // every thread has put its count of this level down
        for (int half = block_size / 2; half > 0; half /= 2) {
            if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
            __syncthreads();  // the sums of this step are complete; after the last, sums[0] is
        }
        // Thread 0 alone reads and overwrites sums[0], so that nothing is left to wait for.
        if (threadIdx.x == 0) atomicAdd(&bins[level], sums[0]);
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
