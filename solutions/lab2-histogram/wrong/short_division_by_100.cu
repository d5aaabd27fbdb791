// expect: mismatch gray_histogram
// tasks: gray_histogram
// fault: 655 of 65,536 is less than a hundredth: some sums fall to the level below.
#include "workbook.cuh"

__device__ uint32_t gray_of(uint32_t red, uint32_t green, uint32_t blue) {
    return (30 * red + 59 * green + 11 * blue + 50) * 655 >> 16;
}

__global__ void gray_histogram_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                      uint32_t* __restrict__ bins, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const uint32_t level = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
    gray[i] = level;
    atomicAdd(&bins[level], 1u);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    gray_histogram_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, bins, pixels);
}
