// family: a column of counters per lane
// style: micro-optimised: 32 counters per level in dynamic shared memory, vectors of 16 bytes, two in flight
// expected bottleneck: throughput of shared atomics without conflicts, close to memory bandwidth
#include "workbook.cuh"

constexpr int threads = 512;
constexpr int blocks = 264;
constexpr int bytes = 256 * 32 * sizeof(uint32_t);

__device__ __forceinline__ void count4(uint32_t* column, uint32_t word) {
    atomicAdd(column + ((word & 0xff) << 5), 1u);
    atomicAdd(column + ((word >> 8 & 0xff) << 5), 1u);
    atomicAdd(column + ((word >> 16 & 0xff) << 5), 1u);
    atomicAdd(column + ((word >> 24) << 5), 1u);
}

__device__ __forceinline__ void count16(uint32_t* column, uint4 v) {
    count4(column, v.x);
    count4(column, v.y);
    count4(column, v.z);
    count4(column, v.w);
}

__device__ void zero(uint32_t* counts) {
    for (int i = threadIdx.x; i < 256 * 32; i += threads) counts[i] = 0;
    __syncthreads();
}

// A warp adds the 32 counters of a level by shuffles.
__device__ void finish(const uint32_t* counts, uint32_t* bins) {
    __syncthreads();
    int lane = threadIdx.x & 31;
    for (int level = threadIdx.x >> 5; level < 256; level += threads / 32) {
        uint32_t sum = counts[level * 32 + lane];
        for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, d);
        if (lane == 0 && sum) atomicAdd(bins + level, sum);
    }
}

__global__ void __launch_bounds__(threads, 2)
    columns(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins, int pixels) {
    extern __shared__ uint32_t counts[];
    zero(counts);
    uint32_t* column = counts + (threadIdx.x & 31);
    const uint4* vectors = (const uint4*)gray;
    int n = pixels / 16, step = blocks * threads;
    int i = blockIdx.x * threads + threadIdx.x;
    for (; i + step < n; i += 2 * step) {
        uint4 a = __ldcs(vectors + i), b = __ldcs(vectors + i + step);
        count16(column, a);
        count16(column, b);
    }
    if (i < n) count16(column, __ldcs(vectors + i));
    if (blockIdx.x == 0 && threadIdx.x < pixels % 16)
        atomicAdd(column + gray[n * 16 + threadIdx.x] * 32, 1u);
    finish(counts, bins);
}

__device__ __forceinline__ uint32_t level_of(uint32_t r, uint32_t g, uint32_t b) {
    return (30 * r + 59 * g + 11 * b + 50) / 100;
}

__global__ void __launch_bounds__(threads, 2)
    gray_columns(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                 uint32_t* __restrict__ bins, int pixels) {
    extern __shared__ uint32_t counts[];
    zero(counts);
    uint32_t* column = counts + (threadIdx.x & 31);
    int n = pixels / 4;
    for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += blocks * threads) {
        const uint32_t* from = (const uint32_t*)rgb + 3 * i;
        uint32_t a = from[0], b = from[1], c = from[2];
        uint32_t word = level_of(a & 0xff, a >> 8 & 0xff, a >> 16 & 0xff) |
                        level_of(a >> 24, b & 0xff, b >> 8 & 0xff) << 8 |
                        level_of(b >> 16 & 0xff, b >> 24, c & 0xff) << 16 |
                        level_of(c >> 8 & 0xff, c >> 16 & 0xff, c >> 24) << 24;
        ((uint32_t*)gray)[i] = word;
        count4(column, word);
    }
    if (blockIdx.x == 0 && threadIdx.x < pixels % 4) {
        int i = n * 4 + threadIdx.x;
        uint32_t level = level_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
        gray[i] = level;
        atomicAdd(column + level * 32, 1u);
    }
    finish(counts, bins);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    columns<<<blocks, threads, bytes>>>(gray, bins, width * height);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    gray_columns<<<blocks, threads, bytes>>>(rgb, gray, bins, width * height);
}
