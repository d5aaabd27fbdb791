// family: float arithmetic
// Style: no table: every pixel works its new level out with a float division; one thread scans.
// Limit: division and two gathers a pixel; the scan of a lone thread waits for 256 loads.
#include "workbook.cuh"

struct Stretch {
    int low, high;
};

__global__ void count(const uint8_t* gray, uint32_t* bins, int n) {
    __shared__ uint32_t mine[256];
    if (threadIdx.x < 256) mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[gray[i]], 1u);
    __syncthreads();
    if (threadIdx.x < 256) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void find(const uint32_t* bins, Stretch* stretch, uint32_t threshold) {
    int low = 0, high = 255;
    while (bins[low] < threshold) ++low;
    while (bins[high] < threshold) --high;
    stretch->low = low;
    stretch->high = high;
}

// bins become sums up to each level; bins[256] is the count of the lowest level that occurs.
__global__ void scan(uint32_t* bins) {
    uint32_t sum = 0, lowest = 0;
    for (int v = 0; v < 256; ++v) {
        sum += bins[v];
        if (lowest == 0) lowest = sum;
        bins[v] = sum;
    }
    bins[256] = lowest;
}

__global__ void stretch_pixels(const uint8_t* gray, uint8_t* out, const Stretch* stretch, int width,
                               int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float low = stretch->low, high = stretch->high, v = gray[y * width + x];
    float result = v;
    if (low < high) result = (v - low) * 255.0f / (high - low);
    out[y * width + x] = static_cast<uint8_t>(fminf(fmaxf(result, 0.0f), 255.0f) + 0.5f);
}

__global__ void equalize_pixels(const uint8_t* gray, uint8_t* out, const uint32_t* sums, int width,
                                int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int v = gray[y * width + x], lowest = sums[256], others = width * height - lowest;
    float result = v;
    if (others > 0) result = 255.0f * (static_cast<int>(sums[v]) - lowest) / others;
    out[y * width + x] = static_cast<uint8_t>(result + 0.5f);
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int n = width * height;
    uint32_t* bins;
    Stretch* stretch;
    cudaMalloc(&bins, 256 * sizeof(uint32_t));
    cudaMalloc(&stretch, sizeof(Stretch));
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    count<<<min(ceil_div(n, 512), 264), 512>>>(gray, bins, n);
    find<<<1, 1>>>(bins, stretch, ceil_div(n, 1024));
    const dim3 block(32, 8), grid(ceil_div(width, 32), ceil_div(height, 8));
    stretch_pixels<<<grid, block>>>(gray, out, stretch, width, height);
    cudaFree(bins);
    cudaFree(stretch);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int n = width * height;
    uint32_t* bins;
    cudaMalloc(&bins, 257 * sizeof(uint32_t));
    cudaMemset(bins, 0, 257 * sizeof(uint32_t));
    count<<<min(ceil_div(n, 512), 264), 512>>>(gray, bins, n);
    scan<<<1, 1>>>(bins);
    const dim3 block(32, 8), grid(ceil_div(width, 32), ceil_div(height, 8));
    equalize_pixels<<<grid, block>>>(gray, out, bins, width, height);
    cudaFree(bins);
}
