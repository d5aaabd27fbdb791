// expect: finding race
// engine: simulator
// fault: a block counts as done before the threads of its other warps have added.
#include "workbook.cuh"

__device__ uint32_t finished;

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[256];
    __shared__ bool last;
    counts[threadIdx.x] = 0;
    __syncthreads();  // every counter is zero
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();  // every pixel is counted
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
    __threadfence();
    if (threadIdx.x == 0) last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    __syncthreads();  // everybody knows the answer
    if (!last) return;
    bins[256 + threadIdx.x] = bins[threadIdx.x];  // <- here
    if (threadIdx.x == 0) finished = 0;
}

// The histogram of an image, in host memory.
void count_levels(const uint8_t* gray, int pixels, uint32_t* counts) {
    uint32_t* bins;
    const int blocks = ceil_div(pixels, 256);
    cudaMalloc(&bins, 2 * 256 * sizeof(uint32_t));
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    histogram_kernel<<<blocks, 256>>>(gray, bins, pixels);
    cudaMemcpy(counts, bins + 256, 256 * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    cudaFree(bins);
}

struct Range {
    int low, high;
};

Range find_range(const uint32_t* counts, int pixels) {
    const uint32_t threshold = ceil_div(pixels, 1024);
    Range range = {0, 255};
    while (counts[range.low] < threshold) ++range.low;
    while (counts[range.high] < threshold) --range.high;
    return range;
}

__global__ void stretch_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                               Range range, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const int width = range.high - range.low;
    const int above = min(max(gray[i] - range.low, 0), width);
    out[i] = width == 0 ? gray[i] : (255 * above + width / 2) / width;
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t counts[256];
    count_levels(gray, pixels, counts);
    const Range range = find_range(counts, pixels);
    stretch_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, range, pixels);
}

void make_table(const uint32_t* counts, int pixels, uint8_t* table) {
    int lowest = 0;
    while (counts[lowest] == 0) ++lowest;
    const uint32_t others = pixels - counts[lowest];
    uint64_t above = 0;  // pixels at this level or below, without those of the lowest
    for (int level = 0; level < 256; ++level) {
        if (level > lowest) above += counts[level];
        table[level] = others == 0 ? level : (255 * above + others / 2) / others;
    }
}

__global__ void map_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                           const uint8_t* __restrict__ table, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) out[i] = table[gray[i]];
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t counts[256];
    count_levels(gray, pixels, counts);
    uint8_t host_table[256];
    make_table(counts, pixels, host_table);
    uint8_t* table;
    cudaMalloc(&table, 256);
    cudaMemcpy(table, host_table, 256, cudaMemcpyHostToDevice);
    map_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, table, pixels);
    cudaFree(table);
}
