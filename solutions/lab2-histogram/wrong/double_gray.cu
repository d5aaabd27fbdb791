// expect: mismatch gray_histogram
// tasks: gray_histogram
// cause: float_sum
// fault: 0.3, 0.59 and 0.11 are no finite binary fractions: halves fall, in `double` too.
#include "workbook.cuh"

__device__ uint32_t gray_of(uint32_t red, uint32_t green, uint32_t blue) {
    return static_cast<uint32_t>(0.3 * red + 0.59 * green + 0.11 * blue + 0.5);
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
