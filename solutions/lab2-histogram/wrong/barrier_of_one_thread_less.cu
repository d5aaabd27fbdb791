// expect: finding launch
// tasks: histogram
// fault: the barrier counts one thread too few: the last one to come waits for the next phase.
#include <cuda/barrier>

#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[256];
    __shared__ cuda::barrier<cuda::thread_scope_block> counted;
    if (threadIdx.x == 0) init(&counted, blockDim.x - 1);
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&counts[gray[i]], 1u);
    counted.arrive_and_wait();
    const int level = 255 - threadIdx.x;
    if (counts[level] > 0) atomicAdd(&bins[level], counts[level]);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    histogram_kernel<<<ceil_div(width * height, 4096), 256>>>(gray, bins, width * height);
}
