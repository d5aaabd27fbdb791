// expect: not scored histogram
// expect on a GPU: wrong histogram
// cheat: each thread adds a counter of its block under one lock for all: 135,000 threads one after
// another, about a microsecond each on a GPU, where simulated threads hardly wait.
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
    for (bool done = false; !done;) {
        if (atomicCAS(&lock_word, 0, 1) == 0) {
            __threadfence();
            bins[threadIdx.x] = bins[threadIdx.x] + counts[threadIdx.x];
            __threadfence();
            atomicExch(&lock_word, 0);
            done = true;
        }
    }
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int blocks = min(ceil_div(width * height, 4096), 528);
    histogram_kernel<<<blocks, 256>>>(gray, bins, width * height);
}
