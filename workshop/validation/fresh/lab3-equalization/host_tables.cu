// family: table on the host
// style: first complete solution of the skeleton: global atomics, copy to the host, table copied back
// expected bottleneck: global atomics of the histogram; then the two small copies
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}

__global__ void map_kernel(const uint8_t* gray, uint8_t* out, const uint8_t* table, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) out[i] = table[gray[i]];
}

static void count(const uint8_t* gray, uint32_t* counts, int pixels) {
    uint32_t* bins;
    cudaMalloc(&bins, 256 * sizeof(uint32_t));
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    histogram_kernel<<<(pixels + 127) / 128, 128>>>(gray, bins, pixels);
    cudaMemcpy(counts, bins, 256 * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    cudaFree(bins);
}

static void apply(const uint8_t* gray, uint8_t* out, const uint8_t* table, int pixels) {
    uint8_t* device_table;
    cudaMalloc(&device_table, 256);
    cudaMemcpy(device_table, table, 256, cudaMemcpyHostToDevice);
    map_kernel<<<(pixels + 127) / 128, 128>>>(gray, out, device_table, pixels);
    cudaFree(device_table);
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    int pixels = width * height;
    uint32_t counts[256];
    count(gray, counts, pixels);
    uint32_t enough = (pixels + 1023) / 1024;
    int low = 0, high = 255;
    while (counts[low] < enough) low++;
    while (counts[high] < enough) high--;
    uint8_t table[256];
    for (int v = 0; v < 256; v++) {
        if (low == high)
            table[v] = v;
        else if (v <= low)
            table[v] = 0;
        else if (v >= high)
            table[v] = 255;
        else
            table[v] = (uint8_t)((v - low) * 255.0f / (high - low) + 0.5f);
    }
    apply(gray, out, table, pixels);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    int pixels = width * height;
    uint32_t counts[256];
    count(gray, counts, pixels);
    int lowest = 0;
    while (counts[lowest] == 0) lowest++;
    uint32_t smallest = counts[lowest];
    uint8_t table[256];
    uint64_t cdf = 0;
    for (int v = 0; v < 256; v++) {
        cdf += counts[v];
        if (smallest == (uint32_t)pixels)
            table[v] = v;
        else if (v < lowest)
            table[v] = 0;
        else
            table[v] = (uint8_t)(((cdf - smallest) * 255 + (pixels - smallest) / 2) /
                                 (pixels - smallest));
    }
    apply(gray, out, table, pixels);
}
