// why: the block meets at a cuda::barrier, in one call and in two halves.
// tasks: histogram
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <utility>

#include "workbook.cuh"

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[256];
    __shared__ barrier ready;
    const auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() == 0) init(&ready, block.size());
    counts[threadIdx.x] = 0;
    block.sync();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&counts[gray[i]], 1u);
    barrier::arrival_token token = ready.arrive();
    ready.wait(std::move(token));
    const uint32_t count = counts[threadIdx.x];
    ready.arrive_and_wait();
    if (count > 0) atomicAdd(&bins[threadIdx.x], count);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 4096), 256>>>(gray, bins, pixels);
}
