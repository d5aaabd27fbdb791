// Rung 4: minimum and maximum in place of branches.
//
// tasks: contrast_stretch
//
// Before:   three kinds of level, three branches: where the lanes of a warp differ, the warp takes
//           one branch after the other. And each pixel takes a division by the same number.
// Change:   all lanes compute the same: a product with a factor that is computed once, clamped by
//           min and max, which are one instruction each.
// Expected: a gain on noisy images, where warps diverge. Compilers turn such small branches into
//           selections themselves, so the gain may be small.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int block_size = 256;
constexpr int most_blocks = 1024;  // tune: 132 264 528 1024 4096
static_assert(block_size == levels, "a thread zeroes and adds one counter");

__device__ uint32_t byte_of(uint32_t word, int index) { return (word >> (8 * index)) & 0xff; }

// As in lab 2: a histogram per block, four pixels per load, and a grid-stride loop.
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[levels];
    counts[threadIdx.x] = 0;
    __syncthreads();  // every counter is zero before the first pixel is counted

    const int thread = blockIdx.x * block_size + threadIdx.x;
    const int stride = gridDim.x * block_size;
    const int quads = pixels / 4;
    const uint32_t* words = reinterpret_cast<const uint32_t*>(gray);
    for (int quad = thread; quad < quads; quad += stride)
        for (int k = 0; k < 4; ++k) atomicAdd(&counts[byte_of(words[quad], k)], 1u);
    // Up to three pixels are left.
    const int i = 4 * quads + thread;
    if (i < pixels) atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();  // every pixel of the block is counted before a counter is read

    const uint32_t count = counts[threadIdx.x];
    if (count > 0) atomicAdd(&bins[threadIdx.x], count);
}

// The histogram of an image, in host memory.
void count_levels(const uint8_t* gray, int pixels, uint32_t* counts) {
    uint32_t* bins;
    WORKBOOK_CHECK(cudaMalloc(&bins, levels * sizeof(uint32_t)));
    WORKBOOK_CHECK(cudaMemset(bins, 0, levels * sizeof(uint32_t)));
    const int needed = ceil_div(pixels, 4 * block_size);
    histogram_kernel<<<min(needed, most_blocks), block_size>>>(gray, bins, pixels);
    WORKBOOK_CHECK(cudaMemcpy(counts, bins, levels * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    WORKBOOK_CHECK(cudaFree(bins));
}

struct Range {
    int low, high;
};

// The lowest and the highest level that at least one pixel in 1,024 has.
Range find_range(const uint32_t* counts, int pixels) {
    const uint32_t threshold = ceil_div(pixels, 1024);
    Range range = {0, levels - 1};
    while (counts[range.low] < threshold) ++range.low;
    while (counts[range.high] < threshold) --range.high;
    return range;
}

// ANCHOR: stretched
__device__ uint8_t stretched(int level, Range range, float factor) {
    const float value = (level - range.low) * factor + 0.5f;
    return static_cast<uint8_t>(min(max(value, 0.0f), 255.0f));
}
// ANCHOR_END: stretched

// ANCHOR: kernel
// Threads 0 to quads - 1 take four pixels each, the threads after them one pixel each.
__global__ void stretch_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                               Range range, int quads, int pixels) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const float factor = 255.0f / (range.high - range.low);
    if (thread < quads) {
        const uint32_t four = reinterpret_cast<const uint32_t*>(gray)[thread];
        uint32_t result = 0;
        for (int k = 0; k < 4; ++k) result |= stretched(byte_of(four, k), range, factor) << (8 * k);
        reinterpret_cast<uint32_t*>(out)[thread] = result;
        return;
    }
    const int i = 4 * quads + (thread - quads);
    if (i < pixels) out[i] = stretched(gray[i], range, factor);
}
// ANCHOR_END: kernel

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t counts[levels];
    count_levels(gray, pixels, counts);
    const Range range = find_range(counts, pixels);
    if (range.low == range.high) {  // nothing to spread
        WORKBOOK_CHECK(cudaMemcpy(out, gray, pixels, cudaMemcpyDeviceToDevice));
        return;
    }
    const int quads = pixels / 4;
    const int threads = quads + pixels % 4;
    stretch_kernel<<<ceil_div(threads, block_size), block_size>>>(gray, out, range, quads, pixels);
}
