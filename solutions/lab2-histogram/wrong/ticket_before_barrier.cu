// expect: finding race
// tasks: histogram
// engine: simulator
// fault: thread 0 says that its block is done before the other warps have counted.
#include "workbook.cuh"

__device__ uint32_t total[256];
__device__ unsigned int tickets;

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ bool last;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&total[gray[i]], 1u);
    __threadfence();
    if (threadIdx.x == 0) last = atomicAdd(&tickets, 1u) == gridDim.x - 1;  // <- here
    __syncthreads();
    if (!last) return;
    bins[threadIdx.x] = atomicExch(&total[threadIdx.x], 0u);
    if (threadIdx.x == 0) tickets = 0;
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<min(ceil_div(pixels, 1024), 256), 256>>>(gray, bins, pixels);
}
