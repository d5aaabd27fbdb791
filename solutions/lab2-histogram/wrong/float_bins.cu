// expect: mismatch histogram
// tasks: histogram
// fault: the bins are counted in `float`, which holds every whole number only up to 2^24.
#include "workbook.cuh"

__global__ void count_kernel(const uint8_t* __restrict__ gray, float* __restrict__ sums,
                             int pixels) {
    __shared__ float counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();  // every counter is zero
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&counts[gray[i]], 1.0f);
    __syncthreads();  // every pixel is counted
    atomicAdd(&sums[threadIdx.x], counts[threadIdx.x]);
}

__global__ void to_bins_kernel(const float* __restrict__ sums, uint32_t* __restrict__ bins) {
    bins[threadIdx.x] = sums[threadIdx.x];
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    float* sums;
    cudaMalloc(&sums, 256 * sizeof(float));
    cudaMemset(sums, 0, 256 * sizeof(float));
    count_kernel<<<1024, 256>>>(gray, sums, pixels);
    to_bins_kernel<<<1, 256>>>(sums, bins);
    cudaFree(sums);
}
