// family: private byte counters per thread
// style: pre-atomics GPU folklore: 256 counters of one byte for each of 64 threads, no atomics while counting
// expected bottleneck: latency of dependent shared reads and writes, few warps per multiprocessor
#include "workbook.cuh"

constexpr int threads = 64;
constexpr int per_thread = 252;  // below 256, so that no counter overflows

// Counter `level` of a thread is byte level * 64 + thread.
__device__ void clear(uint8_t* counters) {
    uint32_t* words = (uint32_t*)counters;
    for (int i = threadIdx.x; i < 256 * threads / 4; i += threads) words[i] = 0;
    __syncthreads();
}

__device__ void add_up(const uint8_t* counters, uint32_t* bins) {
    __syncthreads();
    const uint32_t* words = (const uint32_t*)counters;
    for (int level = threadIdx.x; level < 256; level += threads) {
        uint32_t even = 0, odd = 0;  // two sums of 16 bits each
        for (int k = 0; k < threads / 4; k++) {
            uint32_t four = words[level * (threads / 4) + ((k + threadIdx.x) % (threads / 4))];
            even += four & 0x00ff00ff;
            odd += (four >> 8) & 0x00ff00ff;
        }
        uint32_t sum = (even & 0xffff) + (even >> 16) + (odd & 0xffff) + (odd >> 16);
        if (sum) atomicAdd(bins + level, sum);
    }
}

__global__ void histogram64(const uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ __align__(16) uint8_t counters[256 * threads];
    clear(counters);
    int begin = blockIdx.x * threads * per_thread;
    for (int k = 0; k < per_thread; k += 4) {
        int i = begin + k * threads + threadIdx.x * 4;
        if (i + 3 < pixels) {
            uchar4 v = *(const uchar4*)(gray + i);
            counters[v.x * threads + threadIdx.x]++;
            counters[v.y * threads + threadIdx.x]++;
            counters[v.z * threads + threadIdx.x]++;
            counters[v.w * threads + threadIdx.x]++;
        } else {
            for (int j = i; j < pixels; j++) counters[gray[j] * threads + threadIdx.x]++;
        }
    }
    add_up(counters, bins);
}

__global__ void gray_histogram64(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ __align__(16) uint8_t counters[256 * threads];
    clear(counters);
    int begin = blockIdx.x * threads * per_thread;
    for (int k = 0; k < per_thread; k++) {
        int i = begin + k * threads + threadIdx.x;
        if (i < pixels) {
            int v = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
            gray[i] = v;
            counters[v * threads + threadIdx.x]++;
        }
    }
    add_up(counters, bins);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    int pixels = width * height;
    histogram64<<<ceil_div(pixels, threads * per_thread), threads>>>(gray, bins, pixels);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    int pixels = width * height;
    gray_histogram64<<<ceil_div(pixels, threads * per_thread), threads>>>(rgb, gray, bins, pixels);
}
