// expect: wrong equalize
// cheat: none meant: the number of a block is packed into a word beside another number.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}

__global__ void map_kernel(const uint8_t* gray, uint8_t* out, const uint8_t* table, int pixels) {
    const unsigned int packed = blockIdx.x << 16 | threadIdx.x;
    const int i = (packed >> 16) * 256 + (packed & 0xffff);
    if (i < pixels) out[i] = table[gray[i]];
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t *bins, counts[256];
    uint8_t *table, levels[256];
    cudaMalloc(&bins, sizeof(counts));
    cudaMalloc(&table, sizeof(levels));
    cudaMemset(bins, 0, sizeof(counts));
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
    cudaMemcpy(counts, bins, sizeof(counts), cudaMemcpyDeviceToHost);
    int lowest = 0;
    while (counts[lowest] == 0) ++lowest;
    const uint32_t others = pixels - counts[lowest];
    uint64_t above = 0;
    for (int v = 0; v < 256; ++v) {
        if (v > lowest) above += counts[v];
        levels[v] = others == 0 ? v : (255 * above + others / 2) / others;
    }
    cudaMemcpy(table, levels, sizeof(levels), cudaMemcpyHostToDevice);
    map_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, table, pixels);
    cudaFree(bins);
    cudaFree(table);
}
