// expect: mismatch histogram
// fault: threads without a pixel return before the barrier, and the bins that they should add
//        are lost.
#include "workbook.cuh"

__device__ uint32_t gray_of(uint32_t red, uint32_t green, uint32_t blue) {
    return (30 * red + 59 * green + 11 * blue + 50) / 100;
}

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();  // every counter is zero before the first pixel is counted
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

__global__ void gray_histogram_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                      uint32_t* __restrict__ bins, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const uint32_t level = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
    gray[i] = level;
    atomicAdd(&bins[level], 1u);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    gray_histogram_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, bins, pixels);
}
