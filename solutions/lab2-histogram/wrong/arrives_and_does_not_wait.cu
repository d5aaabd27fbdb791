// expect: finding race
// tasks: histogram
// engine: simulator
// fault: threads arrive at a cuda::barrier, and read the counters with no wait.
#include <cuda/barrier>

#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[256];
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    if (threadIdx.x == 0) init(&ready, 256);
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&counts[gray[i]], 1u);
    [[maybe_unused]] const auto token = ready.arrive();
    if (counts[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 4096), 256>>>(gray, bins, pixels);
}
