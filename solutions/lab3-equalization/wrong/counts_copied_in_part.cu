// expect: finding initialisation
// tasks: equalize
// engine: simulator
// fault: 256 bytes of the counts are copied to the host, not 256 counters.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}

void make_table(const uint32_t* counts, int pixels, uint8_t* table) {
    int low = 0;
    while (counts[low] == 0) ++low;
    const uint32_t min = counts[low], others = pixels - min;
    uint64_t cdf = 0;
    for (int v = 0; v < 256; ++v) {
        cdf += counts[v];
        table[v] = v < low ? 0 : others == 0 ? v : (255 * (cdf - min) + others / 2) / others;
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
    cudaMalloc(&bins, 256 * sizeof(uint32_t));
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
    uint32_t counts[256];
    cudaMemcpy(counts, bins, 256, cudaMemcpyDeviceToHost);
    uint8_t table[256];
    make_table(counts, pixels, table);
    uint8_t* d_table;
    cudaMalloc(&d_table, 256);
    cudaMemcpy(d_table, table, 256, cudaMemcpyHostToDevice);
    map_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, d_table, pixels);
    cudaFree(bins);
    cudaFree(d_table);
}
