// expect: mismatch histogram
// tasks: histogram
// fault: 16-bit counters, and a block may count more than 65,535 pixels of one level.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t pairs[128];  // two counters of 16 bits in a word
    if (threadIdx.x < 128) pairs[threadIdx.x] = 0;
    __syncthreads();  // every counter is zero
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&pairs[gray[i] / 2], gray[i] % 2 == 0 ? 1u : 1u << 16);
    __syncthreads();  // every pixel is counted
    const uint32_t pair = pairs[threadIdx.x / 2];
    atomicAdd(&bins[threadIdx.x], threadIdx.x % 2 == 0 ? pair & 0xffff : pair >> 16);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<132, 256>>>(gray, bins, pixels);
}
