// expect: finding race
// tasks: histogram
// engine: simulator
// fault: counters of the GPU are added to by atomics that hold among the threads of a block only.
#include <cuda/atomic>

#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    cuda::atomic_ref<uint32_t, cuda::thread_scope_block> bin(bins[gray[i]]);
    bin.fetch_add(1, cuda::memory_order_relaxed);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
}
