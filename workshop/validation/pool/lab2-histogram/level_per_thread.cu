// family: comparing with each level
// Style: no atomics inside a block: thread v looks at every pixel of a tile and counts its level v.
// Limit: instructions: each pixel is compared 256 times, from shared memory words all lanes share.
#include "workbook.cuh"

constexpr int threads = 256;
constexpr int tile = 8192;

// Counts the bytes of words that equal this thread's level.
__device__ uint32_t count_mine(const uint32_t* words, int count) {
    const uint32_t level = threadIdx.x;
    uint32_t found = 0;
#pragma unroll 4
    for (int w = 0; w < count / 4; ++w) {
        const uint32_t four = words[w];
        found += (four & 255) == level;
        found += (four >> 8 & 255) == level;
        found += (four >> 16 & 255) == level;
        found += four >> 24 == level;
    }
    const uint8_t* rest = reinterpret_cast<const uint8_t*>(words + count / 4);
    for (int k = 0; k < count % 4; ++k) found += rest[k] == level;
    return found;
}

__global__ void count_levels(const uint8_t* gray, uint32_t* bins, int n) {
    __shared__ uint32_t words[tile / 4];
    const int base = blockIdx.x * tile, count = min(tile, n - base);
    uint8_t* bytes = reinterpret_cast<uint8_t*>(words);
    for (int i = threadIdx.x; i < count; i += threads) bytes[i] = gray[base + i];
    __syncthreads();
    const uint32_t found = count_mine(words, count);
    if (found > 0) atomicAdd(&bins[threadIdx.x], found);
}

__global__ void gray_levels(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int n) {
    __shared__ uint32_t words[tile / 4];
    const int base = blockIdx.x * tile, count = min(tile, n - base);
    uint8_t* bytes = reinterpret_cast<uint8_t*>(words);
    for (int i = threadIdx.x; i < count; i += threads) {
        const uint8_t* p = rgb + 3 * (base + i);
        bytes[i] = gray[base + i] = (30 * p[0] + 59 * p[1] + 11 * p[2] + 50) / 100;
    }
    __syncthreads();
    const uint32_t found = count_mine(words, count);
    if (found > 0) atomicAdd(&bins[threadIdx.x], found);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height;
    count_levels<<<ceil_div(n, tile), threads>>>(gray, bins, n);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height;
    gray_levels<<<ceil_div(n, tile), threads>>>(rgb, gray, bins, n);
}
