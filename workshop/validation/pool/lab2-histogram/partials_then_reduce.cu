// family: agents
// Style: a library's two steps: each block stores its own histogram, a second kernel adds them up.
// Limit: shared atomics of eight pixels a load; the second kernel only waits for memory.
#include "workbook.cuh"

constexpr int count_threads = 192;
constexpr int reduce_threads = 64;
constexpr int most_parts = 528;

__device__ void clear(uint32_t* counts) {
    for (int v = threadIdx.x; v < 256; v += count_threads) counts[v] = 0;
    __syncthreads();
}

// parts[v * gridDim.x + b] is what block b counted at level v.
__device__ void store(const uint32_t* counts, uint32_t* parts) {
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += count_threads)
        parts[v * gridDim.x + blockIdx.x] = counts[v];
}

__global__ void count_parts(const uint8_t* __restrict__ gray, uint32_t* __restrict__ parts, int n) {
    __shared__ uint32_t counts[256];
    clear(counts);
    const uint2* eights = reinterpret_cast<const uint2*>(gray);
    const int thread = blockIdx.x * count_threads + threadIdx.x;
    for (int e = thread; e < n / 8; e += gridDim.x * count_threads) {
        const uint2 eight = eights[e];
#pragma unroll
        for (int shift = 0; shift < 32; shift += 8) {
            atomicAdd(&counts[eight.x >> shift & 255], 1u);
            atomicAdd(&counts[eight.y >> shift & 255], 1u);
        }
    }
    if (thread < n % 8) atomicAdd(&counts[gray[n / 8 * 8 + thread]], 1u);
    store(counts, parts);
}

__global__ void gray_parts(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                           uint32_t* __restrict__ parts, int n) {
    __shared__ uint32_t counts[256];
    clear(counts);
    for (int i = blockIdx.x * count_threads + threadIdx.x; i < n; i += gridDim.x * count_threads) {
        const int level = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
        gray[i] = level;
        atomicAdd(&counts[level], 1u);
    }
    store(counts, parts);
}

// A block a level, two warps each.
__global__ void reduce_parts(const uint32_t* __restrict__ parts, uint32_t* __restrict__ bins,
                             int part_count) {
    __shared__ uint32_t second;
    uint32_t sum = 0;
    for (int p = threadIdx.x; p < part_count; p += reduce_threads)
        sum += parts[blockIdx.x * part_count + p];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
    if (threadIdx.x == 32) second = sum;
    __syncthreads();
    if (threadIdx.x == 0) bins[blockIdx.x] = sum + second;
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height;
    const int parts = min(ceil_div(n, 8 * count_threads), most_parts);
    uint32_t* scratch;
    cudaMalloc(&scratch, parts * 256 * sizeof(uint32_t));
    count_parts<<<parts, count_threads>>>(gray, scratch, n);
    reduce_parts<<<256, reduce_threads>>>(scratch, bins, parts);
    cudaFree(scratch);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height;
    const int parts = min(ceil_div(n, count_threads), most_parts);
    uint32_t* scratch;
    cudaMalloc(&scratch, parts * 256 * sizeof(uint32_t));
    gray_parts<<<parts, count_threads>>>(rgb, gray, scratch, n);
    reduce_parts<<<256, reduce_threads>>>(scratch, bins, parts);
    cudaFree(scratch);
}
