// expect: mismatch contrast_stretch
// tasks: contrast_stretch
// fault: low and high are atomics on `__device__` variables that no call sets back: the next
// picture gets the range of both.
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

struct Range {
    int low, high;
};

__device__ uint8_t stretched(int level, Range range) {
    if (level <= range.low) {
        return 0;
    } else if (level >= range.high) {
        return 255;
    } else {
        return 255.0f * (level - range.low) / (range.high - range.low) + 0.5f;
    }
}

__device__ int low = 255, high = 0;

__global__ void range_kernel(const uint32_t* __restrict__ bins, int pixels) {
    if (bins[threadIdx.x] < ceil_div(pixels, 1024)) return;
    atomicMin(&low, static_cast<int>(threadIdx.x));
    atomicMax(&high, static_cast<int>(threadIdx.x));
}

__global__ void apply_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                             int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) out[i] = low == high ? gray[i] : stretched(gray[i], {low, high});
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t* bins;
    WORKBOOK_CHECK(cudaMalloc(&bins, levels * sizeof(uint32_t)));
    WORKBOOK_CHECK(cudaMemset(bins, 0, levels * sizeof(uint32_t)));
    const int blocks = min(ceil_div(pixels, 4 * block_size), most_blocks);
    histogram_kernel<<<blocks, block_size>>>(gray, bins, pixels);
    range_kernel<<<1, levels>>>(bins, pixels);
    apply_kernel<<<ceil_div(pixels, block_size), block_size>>>(gray, out, pixels);
    WORKBOOK_CHECK(cudaFree(bins));
}
