// expect: finding race
// tasks: histogram
// engine: simulator
// fault: the ticket of the last block is drawn by an atomic of block scope.
#include "workbook.cuh"

__device__ uint32_t partial[64 * 256];
__device__ uint32_t finished;

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[256];
    __shared__ bool last;
    counts[threadIdx.x] = 0;
    __syncthreads();  // every counter is zero
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();  // every pixel is counted
    partial[256 * blockIdx.x + threadIdx.x] = counts[threadIdx.x];
    __threadfence();
    __syncthreads();  // all have stored
    if (threadIdx.x == 0) last = atomicAdd_block(&finished, 1u) == gridDim.x - 1;  // <- here
    __syncthreads();  // everybody knows
    if (!last) return;
    uint32_t sum = 0;
    for (int block = 0; block < gridDim.x; ++block) sum += partial[256 * block + threadIdx.x];
    bins[threadIdx.x] = sum;
    if (threadIdx.x == 0) finished = 0;
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<64, 256>>>(gray, bins, pixels);
}
