// expect: mismatch histogram
// tasks: histogram
// fault: large images count in a `__device__` array first, which no call sets to zero.
#include "workbook.cuh"

__device__ uint32_t total[256];

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}

__global__ void large_kernel(const uint8_t* __restrict__ gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&total[gray[i]], 1u);
}

__global__ void copy_kernel(uint32_t* __restrict__ bins) { bins[threadIdx.x] = total[threadIdx.x]; }

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height, blocks = ceil_div(pixels, 256);
    if (blocks < 100) {
        histogram_kernel<<<blocks, 256>>>(gray, bins, pixels);
    } else {
        large_kernel<<<blocks, 256>>>(gray, pixels);
        copy_kernel<<<1, 256>>>(bins);
    }
}
