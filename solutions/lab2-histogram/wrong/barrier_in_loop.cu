// expect: finding barrier
// tasks: histogram
// engine: simulator
// fault: the loop has a barrier, and threads go round it a different number of times.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();  // every counter is zero before the first pixel is counted
    for (int i = threadIdx.x; i < pixels; i += blockDim.x) {
        atomicAdd(&counts[gray[i]], 1u);
        __syncthreads();  // <- here
    }
    __syncthreads();  // every pixel of the block is counted before a counter is read
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<1, 256>>>(gray, bins, pixels);
}
