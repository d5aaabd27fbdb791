// family: atomics global
// Style: every level's thread adds up all counters below it; limits by atomicMin and atomicMax.
// Limit: global atomics, one a pixel, and blocks of 16 x 16 with one byte a thread, in double.
#include "workbook.cuh"

struct Summary {
    int low, high;
    unsigned int lowest, table[256];
};

__global__ void count(const uint8_t* gray, unsigned int* bins, int width, int height) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < width && y < height) atomicAdd(&bins[gray[y * width + x]], 1u);
}

__global__ void reset(Summary* summary, int n) {
    summary->low = 255;
    summary->high = 0;
    summary->lowest = n;
}

__global__ void limits(const unsigned int* bins, Summary* summary, unsigned int threshold) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (bins[v] >= threshold) {
        atomicMin(&summary->low, v);
        atomicMax(&summary->high, v);
    }
}

__global__ void sums(const unsigned int* bins, Summary* summary) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int sum = 0;
    for (int w = 0; w <= v; ++w) sum += bins[w];
    summary->table[v] = sum;
    if (sum > 0) atomicMin(&summary->lowest, sum);
}

__global__ void stretched(const uint8_t* gray, uint8_t* out, const Summary* summary, int width,
                          int height) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= width || y >= height) return;
    const int v = gray[y * width + x], low = summary->low, high = summary->high;
    if (low == high)
        out[y * width + x] = v;
    else if (v < low)
        out[y * width + x] = 0;
    else if (v > high)
        out[y * width + x] = 255;
    else
        out[y * width + x] = (uint8_t)((v - low) * 255.0 / (high - low) + 0.5);
}

__global__ void equalized(const uint8_t* gray, uint8_t* out, const Summary* summary, int width,
                          int height) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= width || y >= height) return;
    const int v = gray[y * width + x];
    const unsigned int lowest = summary->lowest, n = width * height;
    const double share = (summary->table[v] - lowest) / (double)(n - lowest);
    out[y * width + x] = lowest == n ? v : (uint8_t)(share * 255.0 + 0.5);
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 block(16, 16), grid(ceil_div(width, 16), ceil_div(height, 16));
    unsigned int* bins;
    Summary* summary;
    cudaMalloc(&bins, 256 * sizeof(unsigned int));
    cudaMalloc(&summary, sizeof(Summary));
    cudaMemset(bins, 0, 256 * sizeof(unsigned int));
    count<<<grid, block>>>(gray, bins, width, height);
    reset<<<1, 1>>>(summary, width * height);
    limits<<<8, 32>>>(bins, summary, ceil_div(width * height, 1024));
    stretched<<<grid, block>>>(gray, out, summary, width, height);
    cudaFree(summary);
    cudaFree(bins);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 block(16, 16), grid(ceil_div(width, 16), ceil_div(height, 16));
    unsigned int* bins;
    Summary* summary;
    cudaMalloc(&bins, 256 * sizeof(unsigned int));
    cudaMalloc(&summary, sizeof(Summary));
    cudaMemset(bins, 0, 256 * sizeof(unsigned int));
    count<<<grid, block>>>(gray, bins, width, height);
    reset<<<1, 1>>>(summary, width * height);
    sums<<<8, 32>>>(bins, summary);
    equalized<<<grid, block>>>(gray, out, summary, width, height);
    cudaFree(summary);
    cudaFree(bins);
}
