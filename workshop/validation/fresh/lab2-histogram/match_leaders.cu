// family: aggregated atomics
// style: modern CUDA: lanes with equal levels find each other by match, the lowest one adds for all
// expected bottleneck: the match instruction, once per 32 pixels
#include "workbook.cuh"

constexpr int threads = 256;
constexpr int per_thread = 32;

__device__ __forceinline__ void add_matched(uint32_t* counts, int level) {
    unsigned active = __activemask();
    unsigned same = __match_any_sync(active, level);
    int leader = __ffs(same) - 1;
    if ((threadIdx.x & 31) == leader) atomicAdd(&counts[level], (uint32_t)__popc(same));
}

template <class Level>
__device__ void count_span(Level level_of, uint32_t* bins, int pixels) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    int base = blockIdx.x * (threads * per_thread) + threadIdx.x;
    for (int k = 0; k < per_thread; k++) {
        int i = base + k * threads;
        if (i < pixels) add_matched(counts, level_of(i));
    }
    __syncthreads();
    uint32_t mine = counts[threadIdx.x];
    if (mine) atomicAdd(&bins[threadIdx.x], mine);
}

__global__ void __launch_bounds__(threads) matched(const uint8_t* gray, uint32_t* bins, int pixels) {
    count_span([=](int i) { return (int)gray[i]; }, bins, pixels);
}

__global__ void __launch_bounds__(threads)
    gray_matched(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int pixels) {
    count_span(
        [=](int i) {
            const uint8_t* p = rgb + 3 * i;
            int level = (30 * p[0] + 59 * p[1] + 11 * p[2] + 50) / 100;
            gray[i] = (uint8_t)level;
            return level;
        },
        bins, pixels);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    int pixels = width * height;
    matched<<<ceil_div(pixels, threads * per_thread), threads>>>(gray, bins, pixels);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    int pixels = width * height;
    gray_matched<<<ceil_div(pixels, threads * per_thread), threads>>>(rgb, gray, bins, pixels);
}
