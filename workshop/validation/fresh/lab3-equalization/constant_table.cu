// family: table in constant memory
// style: student who read that constants are fast: host table, cudaMemcpyToSymbol, rows as blocks
// expected bottleneck: constant cache in the second pass, where lanes look up different levels
#include "workbook.cuh"

__constant__ uint8_t lut[256];

__global__ void row_histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    __shared__ uint32_t counts[256];
    for (int v = threadIdx.x; v < 256; v += blockDim.x) counts[v] = 0;
    __syncthreads();
    // A block counts four rows.
    for (int y = blockIdx.x * 4; y < blockIdx.x * 4 + 4 && y < height; y++)
        for (int x = threadIdx.x; x < width; x += blockDim.x)
            atomicAdd(&counts[gray[(size_t)y * width + x]], 1u);
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += blockDim.x) atomicAdd(&bins[v], counts[v]);
}

__global__ void row_map(const uint8_t* gray, uint8_t* out, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    size_t row = (size_t)blockIdx.y * width;
    if (x < width) out[row + x] = lut[gray[row + x]];
}

static void fetch_counts(const uint8_t* gray, uint32_t* counts, int width, int height) {
    uint32_t* bins;
    WORKBOOK_CHECK(cudaMalloc(&bins, 1024));
    WORKBOOK_CHECK(cudaMemset(bins, 0, 1024));
    row_histogram<<<ceil_div(height, 4), 512>>>(gray, bins, width, height);
    WORKBOOK_CHECK(cudaMemcpy(counts, bins, 1024, cudaMemcpyDeviceToHost));
    WORKBOOK_CHECK(cudaFree(bins));
}

static void apply(const uint8_t* table, const uint8_t* gray, uint8_t* out, int width, int height) {
    WORKBOOK_CHECK(cudaMemcpyToSymbol(lut, table, 256));
    row_map<<<dim3(ceil_div(width, 128), height), 128>>>(gray, out, width);
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    uint32_t counts[256];
    fetch_counts(gray, counts, width, height);
    uint32_t enough = ((uint32_t)(width * height) + 1023u) >> 10;
    int low = 256, high = -1;
    for (int v = 0; v < 256; v++)
        if (counts[v] >= enough) {
            low = std::min(low, v);
            high = std::max(high, v);
        }
    uint8_t table[256];
    for (int v = 0; v < 256; v++) {
        int c = std::min(std::max(v, low), high);
        table[v] = low == high ? v : (uint8_t)lroundf(255.0f * (c - low) / (high - low));
    }
    apply(table, gray, out, width, height);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    uint32_t counts[256];
    fetch_counts(gray, counts, width, height);
    double pixels = (double)width * height, cdf = 0, smallest = 0;
    uint8_t table[256];
    for (int v = 0; v < 256; v++) {
        cdf += counts[v];
        if (smallest == 0) smallest = cdf;
        if (smallest == pixels || cdf == 0)
            table[v] = v;
        else
            table[v] = (uint8_t)((cdf - smallest) * 255.0 / (pixels - smallest) + 0.5);
    }
    apply(table, gray, out, width, height);
}
