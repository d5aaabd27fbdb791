// expect: mismatch histogram
// tasks: histogram
// engine: simulator
// fault: sums over 64 blocks; a small picture has fewer, and the rest is from the call before.
#include "workbook.cuh"

__device__ uint32_t partial[64 * 256];

__global__ void count_kernel(const uint8_t* __restrict__ gray, int pixels) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();
    partial[blockIdx.x * 256 + threadIdx.x] = counts[threadIdx.x];
}

__global__ void sum_kernel(uint32_t* __restrict__ bins) {
    uint32_t sum = 0;
    for (int block = 0; block < 64; ++block) sum += partial[block * 256 + threadIdx.x];
    bins[threadIdx.x] = sum;
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    count_kernel<<<min(64, ceil_div(pixels, 1024)), 256>>>(gray, pixels);
    sum_kernel<<<1, 256>>>(bins);
}
