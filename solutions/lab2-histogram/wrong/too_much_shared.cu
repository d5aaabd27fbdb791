// expect: finding launch
// tasks: histogram
// fault: 64 histograms a block need 64 KiB; a block has 48 KiB unless it asks for more.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    extern __shared__ uint32_t counts[];  // 64 times 256
    for (int k = threadIdx.x; k < 64 * 256; k += blockDim.x) counts[k] = 0;
    __syncthreads();  // every counter is zero before the first pixel is counted
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&counts[threadIdx.x % 64 * 256 + gray[i]], 1u);
    __syncthreads();  // every pixel of the block is counted before a counter is read
    for (int k = 0; k < 64; ++k) atomicAdd(&bins[threadIdx.x], counts[k * 256 + threadIdx.x]);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    const int shared = 64 * 256 * sizeof(uint32_t);
    histogram_kernel<<<ceil_div(pixels, 256), 256, shared>>>(gray, bins, pixels);  // <- here
}
