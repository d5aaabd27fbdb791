// expect: mismatch equalize
// tasks: equalize
// fault: 256 bytes are copied, not 256 ints: most of the table stays 0.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}

void count_levels(const uint8_t* gray, int pixels, uint32_t* counts) {
    uint32_t* bins;
    cudaMalloc(&bins, 256 * sizeof(uint32_t));
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
    cudaMemcpy(counts, bins, 256 * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    cudaFree(bins);
}

void make_table(const uint32_t* counts, int pixels, int* table) {
    int lowest = 0;
    while (counts[lowest] == 0) ++lowest;
    const uint32_t others = pixels - counts[lowest];
    uint64_t above = 0;
    for (int level = 0; level < 256; ++level) {
        if (level > lowest) above += counts[level];
        table[level] = others == 0 ? level : (255 * above + others / 2) / others;
    }
}

__constant__ int table[256];

__global__ void map_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                           int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) out[i] = table[gray[i]];
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t counts[256];
    count_levels(gray, pixels, counts);
    int host_table[256];
    make_table(counts, pixels, host_table);
    cudaMemcpyToSymbol(table, host_table, 256);
    map_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, pixels);
}
