// family: shared tables
// Style: the table is inverted: a pixel finds its new level by a binary search for thresholds.
// Limit: eight loads from shared memory, each waiting for the one before it; blocks of 64 x 1.
#include "workbook.cuh"

__global__ void count(const uint8_t* gray, uint32_t* bins, int n) {
    __shared__ uint32_t counts[256];
    for (int v = threadIdx.x; v < 256; v += 64) counts[v] = 0;
    __syncthreads();
    const int end = min(n, (blockIdx.x + 1) * 4096);
    for (int i = blockIdx.x * 4096 + threadIdx.x; i < end; i += 64) atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += 64)
        if (counts[v] > 0) atomicAdd(&bins[v], counts[v]);
}

// starts[t] is the lowest level that becomes t or more; starts[0] is 0. Starts never fall.
__global__ void search(const uint8_t* gray, uint8_t* out, const uint32_t* starts, int width,
                       int height) {
    __shared__ uint32_t mine[256];
    for (int t = threadIdx.x; t < 256; t += 64) mine[t] = starts[t];
    __syncthreads();
    const int y = blockIdx.y;
    for (int x = blockIdx.x * 1024 + threadIdx.x; x < min(width, (blockIdx.x + 1) * 1024);
         x += 64) {
        const uint32_t level = gray[y * width + x];
        int found = 0;
        for (int step = 128; step > 0; step /= 2)
            if (mine[found + step] <= level) found += step;
        out[y * width + x] = found;
    }
}

void count_levels(const uint8_t* gray, uint32_t* counts, int n) {
    uint32_t* bins;
    cudaMalloc(&bins, 256 * sizeof(uint32_t));
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    count<<<ceil_div(n, 4096), 64>>>(gray, bins, n);
    cudaMemcpy(counts, bins, 256 * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    cudaFree(bins);
}

// table never falls, and is host memory.
void map_image(const uint8_t* gray, uint8_t* out, const int* table, int width, int height) {
    uint32_t starts[256];
    int level = 0;
    for (int t = 0; t < 256; ++t) {
        while (level < 256 && table[level] < t) ++level;
        starts[t] = level;
    }
    uint32_t* device_starts;
    cudaMalloc(&device_starts, sizeof(starts));
    cudaMemcpy(device_starts, starts, sizeof(starts), cudaMemcpyHostToDevice);
    search<<<dim3(ceil_div(width, 1024), height), 64>>>(gray, out, device_starts, width, height);
    cudaFree(device_starts);
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    uint32_t counts[256];
    count_levels(gray, counts, width * height);
    const uint32_t threshold = ceil_div(width * height, 1024);
    int low = 0, high = 255, table[256];
    while (counts[low] < threshold) ++low;
    while (counts[high] < threshold) --high;
    for (int v = 0; v < 256; ++v) {
        const float position = low == high ? v : 255.0f * (v - low) / (high - low);
        table[v] = static_cast<int>(fminf(fmaxf(position, 0.0f), 255.0f) + 0.5f);
    }
    map_image(gray, out, table, width, height);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    uint32_t counts[256];
    count_levels(gray, counts, width * height);
    int lowest = 0, table[256];
    while (counts[lowest] == 0) ++lowest;
    const double others = width * height - static_cast<int>(counts[lowest]);
    double above = 0;
    for (int v = 0; v < 256; ++v) {
        if (v > lowest) above += counts[v];
        table[v] = others == 0 ? v : static_cast<int>(255 * above / others + 0.5);
    }
    map_image(gray, out, table, width, height);
}
