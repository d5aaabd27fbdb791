// expect: mismatch histogram
// tasks: histogram
// cause: counted_on
// fault: the counters of an earlier call are still in the scratch memory at the next one.
#include "workbook.cuh"

__device__ uint32_t scratch[256];

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    atomicAdd(&scratch[gray[i]], 1u);
}

__global__ void copy_kernel(uint32_t* __restrict__ bins) {
    bins[threadIdx.x] = scratch[threadIdx.x];
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, pixels);
    copy_kernel<<<1, 256>>>(bins);
}
