// expect: mismatch gray_histogram
// tasks: gray_histogram
// cause: planar_for_interleaved
// fault: the interleaved pixels are read as if they were three planes.
#include "workbook.cuh"

__device__ uint32_t gray_of(uint32_t red, uint32_t green, uint32_t blue) {
    return (30 * red + 59 * green + 11 * blue + 50) / 100;
}

__global__ void gray_histogram_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                      uint32_t* __restrict__ bins, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const uint32_t level = gray_of(rgb[i], rgb[pixels + i], rgb[2 * pixels + i]);
    gray[i] = level;
    atomicAdd(&bins[level], 1u);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    gray_histogram_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, bins, pixels);
}
