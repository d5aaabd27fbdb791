// expect: wrong equalize
// cheat: of pictures with more than a million pixels, one pixel in eight is counted.
#include "workbook.cuh"

constexpr int levels = 256;

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels, int step) {
    __shared__ uint32_t counts[levels];
    counts[threadIdx.x] = 0;
    __syncthreads();
    const int stride = gridDim.x * levels;
    for (int i = blockIdx.x * levels + threadIdx.x; i < pixels / step; i += stride)
        atomicAdd(&counts[gray[i * step]], 1u);
    __syncthreads();
    if (counts[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

__global__ void table_kernel(const uint32_t* bins, uint8_t* table) {
    __shared__ uint32_t cdf[levels];
    __shared__ uint32_t least;
    const int v = threadIdx.x;
    cdf[v] = bins[v];
    if (v == 0) least = 0xffffffff;
    __syncthreads();
    for (int by = 1; by < levels; by *= 2) {
        const uint32_t before = v >= by ? cdf[v - by] : 0;
        __syncthreads();
        cdf[v] += before;
        __syncthreads();
    }
    if (bins[v] > 0) atomicMin(&least, cdf[v]);
    __syncthreads();
    const uint32_t others = cdf[levels - 1] - least;
    const uint32_t rank = cdf[v] < least ? 0 : cdf[v] - least;
    table[v] = others == 0 ? v : (255ull * rank + others / 2) / others;
}

__global__ void map_kernel(const uint8_t* gray, uint8_t* out, const uint8_t* table, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) out[i] = table[gray[i]];
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    const int step = pixels > 1 << 20 ? 8 : 1;
    uint32_t* bins;
    uint8_t* table;
    cudaMalloc(&bins, levels * sizeof(uint32_t));
    cudaMalloc(&table, levels);
    cudaMemset(bins, 0, levels * sizeof(uint32_t));
    histogram_kernel<<<min(ceil_div(pixels, levels), 512), levels>>>(gray, bins, pixels, step);
    table_kernel<<<1, levels>>>(bins, table);
    map_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, table, pixels);
    cudaFree(bins);
    cudaFree(table);
}
