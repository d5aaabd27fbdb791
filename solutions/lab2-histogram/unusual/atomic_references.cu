// why: atomics of libcu++, by reference: relaxed, in the scope of a block and of the GPU.
// tasks: histogram
#include <cuda/atomic>

#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ unsigned int counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256) {
        cuda::atomic_ref<unsigned int, cuda::thread_scope_block> count(counts[gray[i]]);
        count.fetch_add(1, cuda::memory_order_relaxed);
    }
    __syncthreads();
    cuda::atomic_ref<uint32_t, cuda::thread_scope_device> bin(bins[threadIdx.x]);
    if (counts[threadIdx.x] > 0)
        bin.fetch_add(counts[threadIdx.x], cuda::std::memory_order_relaxed);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 4096), 256>>>(gray, bins, pixels);
}
