// expect: finding race
// tasks: histogram
// engine: simulator
// fault: the atomic that tells the last block is relaxed: it releases nothing of what was stored.
#include <cuda/atomic>

#include "workbook.cuh"

__device__ uint32_t partial[128 * 256];
__device__ cuda::atomic<unsigned int, cuda::thread_scope_device> done{0};

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[256];
    __shared__ bool last;
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();
    partial[blockIdx.x * 256 + threadIdx.x] = counts[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        last = done.fetch_add(1, cuda::memory_order_relaxed) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    uint32_t sum = 0;
    for (unsigned int block = 0; block < gridDim.x; ++block)
        sum += partial[block * 256 + threadIdx.x];
    bins[threadIdx.x] = sum;
    if (threadIdx.x == 0) done.store(0, cuda::memory_order_relaxed);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<min(ceil_div(pixels, 1024), 128), 256>>>(gray, bins, pixels);
}
