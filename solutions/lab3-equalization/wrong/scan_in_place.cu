// expect: finding race
// tasks: equalize
// engine: simulator
// fault: the scan that a report prints: a step adds to the next elements while others still read
//        them, with no barrier between the reading and the writing.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}

// A thread a level.
__global__ void table_kernel(const uint32_t* __restrict__ bins, uint8_t* __restrict__ table,
                             int pixels) {
    __shared__ uint32_t cdf[256];
    __shared__ uint32_t minimum;
    const int level = threadIdx.x;
    cdf[level] = bins[level];
    __syncthreads();  // all counts are there
    for (int d = 1; d < 256; d *= 2) {
        __syncthreads();
        if (level < 256 - d) cdf[level + d] += cdf[level];  // <- here
    }
    __syncthreads();
    if (bins[level] > 0 && bins[level] == cdf[level]) minimum = bins[level];
    __syncthreads();  // one thread has found it
    const uint32_t others = pixels - minimum;
    const uint64_t above = cdf[level] < minimum ? 0 : cdf[level] - minimum;
    table[level] = others == 0 ? level : (255 * above + others / 2) / others;
}

__global__ void map_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                           const uint8_t* __restrict__ table, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) out[i] = table[gray[i]];
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t* bins;
    uint8_t* table;
    cudaMalloc(&bins, 256 * sizeof(uint32_t));
    cudaMalloc(&table, 256);
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
    table_kernel<<<1, 256>>>(bins, table, pixels);
    map_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, table, pixels);
    cudaFree(bins);
    cudaFree(table);
}
