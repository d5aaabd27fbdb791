// expect: mismatch contrast_stretch
// tasks: contrast_stretch
// cause: rows_and_columns_swapped
// fault: the result of column x and row y is stored at x * height + y.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int block_size = 256;
constexpr int most_blocks = 1024;  // of the histogram
constexpr int block_side = 16;
constexpr int max_grid_height = 65535;  // blocks in y that a grid has room for
static_assert(block_size == levels, "a thread zeroes and adds one counter");

__device__ uint32_t byte_of(uint32_t word, int index) { return (word >> (8 * index)) & 0xff; }

// As in lab 2: one histogram per block, four pixels per load, a grid-stride loop.
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
    cudaMalloc(&bins, levels * sizeof(uint32_t));
    cudaMemset(bins, 0, levels * sizeof(uint32_t));
    const int needed = ceil_div(pixels, 4 * block_size);
    histogram_kernel<<<min(needed, most_blocks), block_size>>>(gray, bins, pixels);
    cudaMemcpy(counts, bins, levels * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    cudaFree(bins);
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

__device__ uint8_t stretched(int level, Range range) {
    if (level <= range.low) {
        return 0;
    } else if (level >= range.high) {
        return 255;
    } else {
        return 255.0f * (level - range.low) / (range.high - range.low) + 0.5f;
    }
}

dim3 grid_for(int width, int height) {
    const int rows = ceil_div(height, block_side);
    return dim3(ceil_div(width, block_side), rows < max_grid_height ? rows : max_grid_height);
}

__global__ void stretch_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                               Range range, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y)
        out[x * height + y] = stretched(gray[y * width + x], range);
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t counts[levels];
    count_levels(gray, pixels, counts);
    const Range range = find_range(counts, pixels);
    if (range.low == range.high) {  // nothing to spread
        cudaMemcpy(out, gray, pixels, cudaMemcpyDeviceToDevice);
        return;
    }
    const dim3 block(block_side, block_side);
    stretch_kernel<<<grid_for(width, height), block>>>(gray, out, range, width, height);
}
