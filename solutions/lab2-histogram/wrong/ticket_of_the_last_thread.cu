// expect: finding race
// tasks: histogram
// engine: simulator
// fault: the last thread of a block draws its ticket before the other warps are done.
#include "workbook.cuh"

__device__ uint32_t total[256];
__device__ unsigned int tickets;

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ unsigned int ticket;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&total[gray[i]], 1u);
    if (threadIdx.x == blockDim.x - 1) {
        __threadfence();
        ticket = atomicInc(&tickets, gridDim.x - 1);
    }
    __syncthreads();
    if (ticket == gridDim.x - 1) bins[threadIdx.x] = atomicExch(&total[threadIdx.x], 0u);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
}
