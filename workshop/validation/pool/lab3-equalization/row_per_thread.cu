// family: rows
// Style: one thread a row, both for counting (global atomics) and for mapping; the host decides.
// Limit: lanes a whole row apart, few threads, and a wait for the host in between.
#include "workbook.cuh"

__global__ void count_rows(const uint8_t* gray, uint32_t* bins, int width, int height) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= height) return;
    for (int x = 0; x < width; x++) atomicAdd(&bins[gray[row * width + x]], 1);
}

__global__ void map_rows(const uint8_t* gray, uint8_t* out, const int* table, int width,
                         int height) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= height) return;
    for (int x = 0; x < width; x++) out[row * width + x] = table[gray[row * width + x]];
}

void histogram_of(const uint8_t* gray, uint32_t* counts, int width, int height) {
    uint32_t* bins;
    cudaMalloc(&bins, 256 * sizeof(uint32_t));
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    count_rows<<<ceil_div(height, 32), 32>>>(gray, bins, width, height);
    cudaMemcpy(counts, bins, 256 * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    cudaFree(bins);
}

void map_image(const uint8_t* gray, uint8_t* out, const int* table, int width, int height) {
    int* device_table;
    cudaMalloc(&device_table, 256 * sizeof(int));
    cudaMemcpy(device_table, table, 256 * sizeof(int), cudaMemcpyHostToDevice);
    map_rows<<<ceil_div(height, 32), 32>>>(gray, out, device_table, width, height);
    cudaFree(device_table);
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    uint32_t counts[256];
    histogram_of(gray, counts, width, height);
    const uint32_t threshold = ceil_div(width * height, 1024);
    int low = 0, high = 255;
    while (counts[low] < threshold) low++;
    while (counts[high] < threshold) high--;
    int table[256];
    for (int v = 0; v < 256; v++) {
        if (low == high)
            table[v] = v;
        else if (v < low)
            table[v] = 0;
        else if (v > high)
            table[v] = 255;
        else
            table[v] = (2 * (v - low) * 255 + (high - low)) / (2 * (high - low));
    }
    map_image(gray, out, table, width, height);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    uint32_t counts[256];
    histogram_of(gray, counts, width, height);
    int table[256], cdf = 0, first = -1;
    const int pixels = width * height;
    for (int v = 0; v < 256; v++) {
        cdf += counts[v];
        if (first < 0 && cdf > 0) first = cdf;
        table[v] = v;
        if (cdf > 0 && first < pixels)
            table[v] = (int)((cdf - first) * 255.0 / (pixels - first) + 0.5);
    }
    map_image(gray, out, table, width, height);
}
