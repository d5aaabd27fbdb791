// expect: mismatch equalize
// tasks: equalize
// cause: minimum_kept
// fault: the pixels of the lowest level are not taken off, in an image of one level either.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}

// The histogram of an image, in host memory.
void count_levels(const uint8_t* gray, int pixels, uint32_t* counts) {
    uint32_t* bins;
    cudaMalloc(&bins, 256 * sizeof(uint32_t));
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
    cudaMemcpy(counts, bins, 256 * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    cudaFree(bins);
}

void make_table(const uint32_t* counts, int pixels, uint8_t* table) {
    uint64_t cdf = 0;
    for (int level = 0; level < 256; ++level) {
        cdf += counts[level];
        table[level] = (255 * cdf + pixels / 2) / pixels;
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
