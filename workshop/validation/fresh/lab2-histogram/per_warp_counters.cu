// family: shared counters per warp
// style: SDK sample style: six warps with 256 counters each, words of four pixels, grid-stride loop
// expected bottleneck: shared-memory atomics, conflicts of equal levels inside a warp
#include "workbook.cuh"

#define WARP_COUNT 6
#define THREADS (WARP_COUNT * 32)
#define BLOCKS 1056

inline __device__ void addByte(uint32_t* s_WarpHist, uint32_t data) {
    atomicAdd(s_WarpHist + data, 1);
}

inline __device__ void addWord(uint32_t* s_WarpHist, uint32_t data) {
    addByte(s_WarpHist, (data >> 0) & 0xFFU);
    addByte(s_WarpHist, (data >> 8) & 0xFFU);
    addByte(s_WarpHist, (data >> 16) & 0xFFU);
    addByte(s_WarpHist, (data >> 24) & 0xFFU);
}

inline __device__ void clearAll(uint32_t* s_Hist) {
    for (uint32_t i = threadIdx.x; i < WARP_COUNT * 256; i += THREADS) s_Hist[i] = 0;
    __syncthreads();
}

inline __device__ void mergeAll(const uint32_t* s_Hist, uint32_t* bins) {
    __syncthreads();
    for (uint32_t bin = threadIdx.x; bin < 256; bin += THREADS) {
        uint32_t sum = 0;
        for (uint32_t w = 0; w < WARP_COUNT; w++) sum += s_Hist[bin + w * 256];
        atomicAdd(bins + bin, sum);
    }
}

__global__ void histogramWarps(const uint8_t* d_Data, uint32_t* bins, uint32_t pixels) {
    __shared__ uint32_t s_Hist[WARP_COUNT * 256];
    uint32_t* s_WarpHist = s_Hist + (threadIdx.x >> 5) * 256;
    clearAll(s_Hist);
    const uint32_t* words = (const uint32_t*)d_Data;
    for (uint32_t pos = blockIdx.x * THREADS + threadIdx.x; pos < pixels / 4; pos += THREADS * gridDim.x)
        addWord(s_WarpHist, words[pos]);
    if (blockIdx.x == 0 && threadIdx.x < pixels % 4)
        addByte(s_WarpHist, d_Data[pixels / 4 * 4 + threadIdx.x]);
    mergeAll(s_Hist, bins);
}

__global__ void grayHistogramWarps(const uint8_t* rgb, uint8_t* gray, uint32_t* bins,
                                   uint32_t pixels) {
    __shared__ uint32_t s_Hist[WARP_COUNT * 256];
    uint32_t* s_WarpHist = s_Hist + (threadIdx.x >> 5) * 256;
    clearAll(s_Hist);
    for (uint32_t pos = blockIdx.x * THREADS + threadIdx.x; pos < pixels; pos += THREADS * gridDim.x) {
        uint32_t level = (30u * rgb[3 * pos] + 59u * rgb[3 * pos + 1] + 11u * rgb[3 * pos + 2] + 50u) / 100u;
        gray[pos] = (uint8_t)level;
        addByte(s_WarpHist, level);
    }
    mergeAll(s_Hist, bins);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    histogramWarps<<<BLOCKS, THREADS>>>(gray, bins, width * height);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    grayHistogramWarps<<<BLOCKS, THREADS>>>(rgb, gray, bins, width * height);
}
