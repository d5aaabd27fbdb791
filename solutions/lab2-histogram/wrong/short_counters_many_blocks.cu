// expect: mismatch histogram
// tasks: histogram
// fault: 16-bit counters, added up as such: two blocks per multiprocessor are still too few.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();  // every counter is zero
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();  // every pixel is counted
    const uint16_t count = counts[threadIdx.x];
    if (count > 0) atomicAdd(&bins[threadIdx.x], static_cast<uint32_t>(count));
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<256, 256>>>(gray, bins, pixels);
}
