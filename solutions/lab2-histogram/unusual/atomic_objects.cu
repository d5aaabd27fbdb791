// why: counters are objects of cuda::atomic in shared memory, made in place.
// tasks: histogram
#include <cuda/atomic>
#include <new>

#include "workbook.cuh"

using Counter = cuda::atomic<uint32_t, cuda::thread_scope_block>;

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ Counter counts[256];
    new (&counts[threadIdx.x]) Counter(0);
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        counts[gray[i]]++;
    __syncthreads();
    const uint32_t count = counts[threadIdx.x].load(cuda::memory_order_relaxed);
    if (count > 0) atomicAdd(&bins[threadIdx.x], count);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 4096), 256>>>(gray, bins, pixels);
}
