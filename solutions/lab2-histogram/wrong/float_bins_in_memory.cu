// expect: mismatch histogram
// tasks: histogram
// fault: every pixel adds 1 to a `float` in global memory: 2^24 + 1 is 2^24.
#include "workbook.cuh"

__global__ void count_kernel(const uint8_t* __restrict__ gray, float* __restrict__ sums,
                             int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&sums[gray[i]], 1.0f);
}

__global__ void to_bins_kernel(const float* __restrict__ sums, uint32_t* __restrict__ bins) {
    bins[threadIdx.x] = static_cast<uint32_t>(sums[threadIdx.x]);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    float* sums;
    cudaMalloc(&sums, 256 * sizeof(float));
    cudaMemset(sums, 0, 256 * sizeof(float));
    count_kernel<<<ceil_div(pixels, 256), 256>>>(gray, sums, pixels);
    to_bins_kernel<<<1, 256>>>(sums, bins);
    cudaFree(sums);
}
