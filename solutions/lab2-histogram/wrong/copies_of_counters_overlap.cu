// expect: finding memory
// tasks: histogram
// engine: simulator
// fault: eight histograms, and room for seven: the last one runs into the next array.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[7 * 256];
    __shared__ uint32_t sums[256];
    const int warp = threadIdx.x / 32;
    for (int level = threadIdx.x % 32; level < 256; level += 32)
        counts[256 * warp + level] = 0;  // <- here
    __syncthreads();  // every counter is zero
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&counts[256 * warp + gray[i]], 1u);
    __syncthreads();  // every pixel is counted
    uint32_t sum = 0;
    for (int w = 0; w < 8; ++w) sum += counts[256 * w + threadIdx.x];
    sums[threadIdx.x] = sum;
    if (sum > 0) atomicAdd(&bins[threadIdx.x], sums[threadIdx.x]);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
}
