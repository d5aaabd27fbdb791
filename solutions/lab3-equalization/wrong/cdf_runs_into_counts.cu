// expect: finding memory
// tasks: equalize
// engine: simulator
// fault: the prefix sums have 256 places and are stored from the second one on.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();  // every counter is zero
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();  // every pixel is counted
    if (counts[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

// Bins to a table, by one block.
__global__ void table_kernel(const uint32_t* __restrict__ bins, uint8_t* __restrict__ table,
                             int pixels) {
    __shared__ uint32_t cdf[256];
    __shared__ uint32_t counts[256];
    const int t = threadIdx.x;
    counts[t] = bins[t];
    __syncthreads();  // the counts are there
    if (t == 0) {
        uint32_t sum = 0;
        cdf[0] = 0;
        for (int level = 0; level < 256; ++level) cdf[level + 1] = sum += counts[level];  // <- here
    }
    __syncthreads();  // the sums are there
    int lowest = 0;
    while (cdf[lowest + 1] == 0) ++lowest;
    const uint32_t least = cdf[lowest + 1], others = pixels - least;
    const uint64_t above = t < lowest ? 0 : (t < 255 ? cdf[t + 1] : pixels) - least;
    table[t] = others == 0 ? t : (255 * above + others / 2) / others;
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
    histogram_kernel<<<120, 256>>>(gray, bins, pixels);
    table_kernel<<<1, 256>>>(bins, table, pixels);
    map_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, table, pixels);
    cudaFree(bins);
    cudaFree(table);
}
