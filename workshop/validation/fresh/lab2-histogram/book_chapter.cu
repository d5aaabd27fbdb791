// family: shared counters, one pixel per thread
// style: textbook chapter: private histogram in a block of 1024 threads, merged at the end
// expected bottleneck: zeroing and merging 256 counters for only 1024 pixels: global atomics
#include "workbook.cuh"

#define BLOCK_SIZE 1024
#define NUM_BINS 256

__global__ void histo_private_kernel(const uint8_t* data, unsigned int length, uint32_t* histo) {
    __shared__ unsigned int histo_s[NUM_BINS];
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x) {
        histo_s[bin] = 0u;
    }
    __syncthreads();
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length) {
        atomicAdd(&(histo_s[data[i]]), 1);
    }
    __syncthreads();
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x) {
        unsigned int binValue = histo_s[bin];
        if (binValue > 0) {
            atomicAdd(&(histo[bin]), binValue);
        }
    }
}

__global__ void gray_histo_private_kernel(const uint8_t* rgb, uint8_t* gray, unsigned int length,
                                          uint32_t* histo) {
    __shared__ unsigned int histo_s[NUM_BINS];
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x) {
        histo_s[bin] = 0u;
    }
    __syncthreads();
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length) {
        unsigned int r = rgb[3 * i];
        unsigned int g = rgb[3 * i + 1];
        unsigned int b = rgb[3 * i + 2];
        unsigned int level = (30 * r + 59 * g + 11 * b + 50) / 100;
        gray[i] = (uint8_t)level;
        atomicAdd(&(histo_s[level]), 1);
    }
    __syncthreads();
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x) {
        unsigned int binValue = histo_s[bin];
        if (binValue > 0) {
            atomicAdd(&(histo[bin]), binValue);
        }
    }
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    unsigned int n = (unsigned int)width * height;
    histo_private_kernel<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(gray, n, bins);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    unsigned int n = (unsigned int)width * height;
    gray_histo_private_kernel<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(rgb, gray, n, bins);
}
