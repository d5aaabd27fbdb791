// expect: finding race
// tasks: histogram
// engine: simulator
// fault: the counters of a block are added to the bins of all by an atomic of block scope.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();  // every counter is zero
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd_block(&counts[gray[i]], 1u);
    __syncthreads();  // every pixel is counted
    atomicAdd_block(&bins[threadIdx.x], counts[threadIdx.x]);  // <- here
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<32, 256>>>(gray, bins, pixels);
}
