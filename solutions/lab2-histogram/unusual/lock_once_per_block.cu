// why: one thread per block takes a lock, and the block adds its counters without atomics.
// tasks: histogram
#include "workbook.cuh"

__device__ int lock_word;

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, volatile uint32_t* bins,
                                 int pixels) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock_word, 0, 1) != 0) {
        }
        __threadfence();
    }
    __syncthreads();
    bins[threadIdx.x] = bins[threadIdx.x] + counts[threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(&lock_word, 0);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int blocks = min(ceil_div(width * height, 4096), 66);
    histogram_kernel<<<blocks, 256>>>(gray, bins, width * height);
}
