// expect: mismatch histogram
// tasks: histogram
// fault: the counter of finished blocks is not set back: the second call never sees its last block.
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
    if (threadIdx.x == 0) last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    __syncthreads();  // everybody knows
    if (!last) return;
    __threadfence();
    uint32_t sum = 0;
    for (int block = 0; block < gridDim.x; ++block) sum += partial[256 * block + threadIdx.x];
    bins[threadIdx.x] = sum;
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<64, 256>>>(gray, bins, pixels);
}
