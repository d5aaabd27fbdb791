// expect: mismatch histogram
// tasks: histogram
// fault: two counters of 16 bits a word, and no thought of more than 65,535 pixels of one level.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[128];
    counts[threadIdx.x] = 0;
    __syncthreads();  // every counter is zero before the first pixel is counted
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += stride)
        atomicAdd(&counts[gray[i] / 2], gray[i] % 2 == 0 ? 1u : 1u << 16);
    __syncthreads();  // every pixel of the block is counted before a counter is read
    atomicAdd(&bins[2 * threadIdx.x], counts[threadIdx.x] & 0xffff);
    atomicAdd(&bins[2 * threadIdx.x + 1], counts[threadIdx.x] >> 16);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<4, 128>>>(gray, bins, pixels);
}
