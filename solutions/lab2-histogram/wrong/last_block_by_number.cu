// expect: finding race
// tasks: histogram
// engine: simulator
// fault: the last block by number adds up what the others have counted, as if they had all ended.
#include "workbook.cuh"

__device__ uint32_t total[256];

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&total[gray[i]], 1u);
    if (blockIdx.x != gridDim.x - 1) return;
    __threadfence();
    __syncthreads();  // this block has counted
    bins[threadIdx.x] = atomicExch(&total[threadIdx.x], 0u);  // <- here
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
}
