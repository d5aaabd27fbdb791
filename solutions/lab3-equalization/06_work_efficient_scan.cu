// Rung 6: a work-efficient scan.
//
// Before:   each of the eight steps of the scan adds nearly 256 numbers: eight times as many
//           additions as a single thread would need.
// Change:   a tree: sums of pairs, sums of pairs of pairs, and back down. The range is found by a
//           tree as well, without atomics.
// Expected: no measurable gain. 256 elements are too few: the tree has less work, but twice as many
//           steps, and each waits for a barrier. (A report tried it and went back.)
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int block_size = 256;
constexpr int most_blocks = 1024;  // of the histogram
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

// Queues the histogram of an image; bins is device memory.
void count_levels(const uint8_t* gray, uint32_t* bins, int pixels) {
    WORKBOOK_CHECK(cudaMemset(bins, 0, levels * sizeof(uint32_t)));
    const int needed = ceil_div(pixels, 4 * block_size);
    histogram_kernel<<<min(needed, most_blocks), block_size>>>(gray, bins, pixels);
}

struct Range {
    int low, high;
};

// One block, one thread per level: the lowest and the highest that at least one pixel in 1,024 has.
// Half of the threads compare their levels with the other half's, until one thread is left.
__global__ void range_kernel(const uint32_t* __restrict__ bins, Range* __restrict__ range,
                             int pixels) {
    __shared__ int low[levels], high[levels];
    const int level = threadIdx.x;
    const bool matters = bins[level] >= ceil_div(pixels, 1024);
    low[level] = matters ? level : levels - 1;
    high[level] = matters ? level : 0;
    __syncthreads();  // every level is in both arrays
    for (int half = levels / 2; half > 0; half /= 2) {
        if (level < half) {
            low[level] = min(low[level], low[level + half]);
            high[level] = max(high[level], high[level + half]);
        }
        __syncthreads();  // this step is complete
    }
    if (level == 0) *range = {low[0], high[0]};
}

// The new level; cdf counts the pixels at this level or below.
__device__ int new_level(int level, uint32_t cdf, uint32_t minimum, int pixels) {
    const uint32_t others = pixels - minimum;
    if (others == 0) return level;
    const float share = static_cast<float>(static_cast<int>(cdf - minimum)) / others;
    return static_cast<int>(floorf(255 * share + 0.5f));
}

// ANCHOR: kernel
// One block, a thread for two levels. Upwards, pairs are added to pairs, as in a tree, until the
// last element holds the sum of all; downwards, every node hands its left child what lies before
// it, and its right child that and the left child's sum. (A scan after Blelloch: about 2 * levels
// additions, not 8 * levels.)
__global__ void table_kernel(const uint32_t* __restrict__ bins, int* __restrict__ table,
                             int pixels) {
    __shared__ uint32_t sums[levels];
    const int thread = threadIdx.x;
    sums[2 * thread] = bins[2 * thread];
    sums[2 * thread + 1] = bins[2 * thread + 1];
    for (int pairs = levels / 2, d = 1; pairs > 0; pairs /= 2, d *= 2) {
        __syncthreads();  // the level of the tree below is complete
        if (thread < pairs) sums[2 * d * (thread + 1) - 1] += sums[2 * d * thread + d - 1];
    }
    if (thread == 0) sums[levels - 1] = 0;
    for (int pairs = 1, d = levels / 2; d > 0; pairs *= 2, d /= 2) {
        __syncthreads();  // the level of the tree above is complete
        if (thread < pairs) {
            const int left = 2 * d * thread + d - 1, right = left + d;
            const uint32_t sum = sums[left];
            sums[left] = sums[right];
            sums[right] += sum;
        }
    }
    __syncthreads();  // sums[v] counts the pixels below level v

    __shared__ uint32_t minimum;  // the pixels at the lowest level that occurs
    for (int level = thread; level < levels; level += levels / 2)
        if (bins[level] > 0 && sums[level] == 0) minimum = bins[level];
    __syncthreads();  // one thread has found it
    for (int level = thread; level < levels; level += levels / 2)
        table[level] = new_level(level, sums[level] + bins[level], minimum, pixels);
}
// ANCHOR_END: kernel

__device__ uint8_t stretched(int level, int low, float factor) {
    const float value = (level - low) * factor + 0.5f;
    return static_cast<uint8_t>(min(max(value, 0.0f), 255.0f));
}

__device__ uint8_t mapped(int level, const int* table) { return min(max(table[level], 0), 255); }

// Threads 0 to quads - 1 take four pixels each, the threads after them one pixel each.
__global__ void stretch_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                               const Range* __restrict__ range_of_image, int quads, int pixels) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const Range range = *range_of_image;
    // One level: factor 0 would lose it, so that the image is copied.
    const bool copy = range.low == range.high;
    const float factor = copy ? 1.0f : 255.0f / (range.high - range.low);
    const int low = copy ? 0 : range.low;
    if (thread < quads) {
        const uint32_t four = reinterpret_cast<const uint32_t*>(gray)[thread];
        uint32_t result = 0;
        for (int k = 0; k < 4; ++k) result |= stretched(byte_of(four, k), low, factor) << (8 * k);
        reinterpret_cast<uint32_t*>(out)[thread] = result;
        return;
    }
    const int i = 4 * quads + (thread - quads);
    if (i < pixels) out[i] = stretched(gray[i], low, factor);
}

__global__ void map_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                           const int* __restrict__ table, int quads, int pixels) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < quads) {
        const uint32_t four = reinterpret_cast<const uint32_t*>(gray)[thread];
        uint32_t result = 0;
        for (int k = 0; k < 4; ++k) result |= mapped(byte_of(four, k), table) << (8 * k);
        reinterpret_cast<uint32_t*>(out)[thread] = result;
        return;
    }
    const int i = 4 * quads + (thread - quads);
    if (i < pixels) out[i] = mapped(gray[i], table);
}

// bins and range side by side, so that one allocation holds both.
struct Scratch {
    uint32_t bins[levels];
    Range range;
};

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    Scratch* scratch;
    WORKBOOK_CHECK(cudaMalloc(&scratch, sizeof(Scratch)));
    count_levels(gray, scratch->bins, pixels);
    range_kernel<<<1, levels>>>(scratch->bins, &scratch->range, pixels);
    const int quads = pixels / 4;
    const int threads = quads + pixels % 4;
    stretch_kernel<<<ceil_div(threads, block_size), block_size>>>(gray, out, &scratch->range, quads,
                                                                  pixels);
    WORKBOOK_CHECK(cudaFree(scratch));
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t* bins;
    int* table;
    WORKBOOK_CHECK(cudaMalloc(&bins, levels * sizeof(uint32_t)));
    WORKBOOK_CHECK(cudaMalloc(&table, levels * sizeof(int)));
    count_levels(gray, bins, pixels);
    table_kernel<<<1, levels / 2>>>(bins, table, pixels);
    const int quads = pixels / 4;
    const int threads = quads + pixels % 4;
    map_kernel<<<ceil_div(threads, block_size), block_size>>>(gray, out, table, quads, pixels);
    WORKBOOK_CHECK(cudaFree(bins));
    WORKBOOK_CHECK(cudaFree(table));
}
