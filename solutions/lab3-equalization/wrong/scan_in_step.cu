// expect: finding race
// tasks: equalize
// engine: simulator
// fault: the prefix sum of a warp relies on its lanes running in step.
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

// The prefix sums of the bins, by one warp; then the table.
__global__ void table_kernel(const uint32_t* __restrict__ bins, uint8_t* __restrict__ table,
                             int pixels) {
    __shared__ volatile uint32_t cdf[256];
    const int lane = threadIdx.x;
    uint32_t sum = 0;
    for (int k = 0; k < 8; ++k) sum += bins[8 * lane + k];
    cdf[lane] = sum;
    for (int step = 1; step < 32; step *= 2)
        if (lane >= step) cdf[lane] = cdf[lane] + cdf[lane - step];  // <- here
    uint32_t before = cdf[lane] - sum;
    int lowest = 0;
    while (bins[lowest] == 0) ++lowest;
    const uint32_t others = pixels - bins[lowest];
    for (int level = 8 * lane; level < 8 * lane + 8; ++level) {
        before += bins[level];
        const uint64_t above = level < lowest ? 0 : before - bins[lowest];
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
    uint32_t* bins;
    uint8_t* table;
    cudaMalloc(&bins, 256 * sizeof(uint32_t));
    cudaMalloc(&table, 256);
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    histogram_kernel<<<120, 256>>>(gray, bins, pixels);
    table_kernel<<<1, 32>>>(bins, table, pixels);
    map_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, table, pixels);
    cudaFree(bins);
    cudaFree(table);
}
