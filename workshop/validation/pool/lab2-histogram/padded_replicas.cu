// family: atomics shared
// Style: 64 histograms a block of 128 threads, each padded by a word, in dynamic shared memory.
// Limit: 65 KiB a block leave three blocks, twelve warps, on a multiprocessor of 228 KiB.
#include "workbook.cuh"

constexpr int threads = 128;
constexpr int replicas = 64;
constexpr int pitch = 257;
constexpr int bytes = replicas * pitch * sizeof(uint32_t);

extern __shared__ uint32_t counts[];

__device__ void clear() {
    for (int k = threadIdx.x; k < replicas * pitch; k += threads) counts[k] = 0;
    __syncthreads();
}

__device__ void add_up(uint32_t* bins) {
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += threads) {
        uint32_t sum = 0;
        for (int r = 0; r < replicas; ++r) sum += counts[r * pitch + v];
        if (sum > 0) atomicAdd(&bins[v], sum);
    }
}

__global__ void count_replicas(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                               int n) {
    clear();
    uint32_t* mine = counts + (threadIdx.x % replicas) * pitch;
    for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
        atomicAdd(mine + gray[i], 1u);
    add_up(bins);
}

__global__ void gray_replicas(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                              uint32_t* __restrict__ bins, int n) {
    clear();
    uint32_t* mine = counts + (threadIdx.x % replicas) * pitch;
    for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) {
        const uint32_t r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
        const uint32_t level = (30 * r + 59 * g + 11 * b + 50) / 100;
        gray[i] = level;
        atomicAdd(mine + level, 1u);
    }
    add_up(bins);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height;
    cudaFuncSetAttribute(count_replicas, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    count_replicas<<<min(ceil_div(n, 16 * threads), 396), threads, bytes>>>(gray, bins, n);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height;
    cudaFuncSetAttribute(gray_replicas, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    gray_replicas<<<min(ceil_div(n, 16 * threads), 396), threads, bytes>>>(rgb, gray, bins, n);
}
