// expect: mismatch histogram
// tasks: histogram
// fault: the blocks count in whole numbers, and the sum of the blocks is a `float`.
#include "workbook.cuh"

__global__ void count_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ partial,
                             int pixels) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();  // every counter is zero
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();  // every pixel is counted
    partial[256 * blockIdx.x + threadIdx.x] = counts[threadIdx.x];
}

__global__ void sum_kernel(const uint32_t* __restrict__ partial, uint32_t* __restrict__ bins,
                           int blocks) {
    float sum = 0;
    for (int block = 0; block < blocks; ++block) sum += partial[256 * block + threadIdx.x];
    bins[threadIdx.x] = sum;
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height, blocks = 128;
    uint32_t* partial;
    cudaMalloc(&partial, 256 * blocks * sizeof(uint32_t));
    count_kernel<<<blocks, 256>>>(gray, partial, pixels);
    sum_kernel<<<1, 256>>>(partial, bins, blocks);
    cudaFree(partial);
}
