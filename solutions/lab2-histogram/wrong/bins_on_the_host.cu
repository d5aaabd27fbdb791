// expect: finding host
// tasks: histogram
// fault: the host function zeroes device memory as if it were its own.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    atomicAdd(&bins[gray[i]], 1u);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    for (int level = 0; level < 256; ++level) bins[level] = 0;  // <- here
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
}
