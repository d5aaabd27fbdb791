// expect: finding race
// tasks: gray_histogram
// engine: simulator
// fault: the gray levels are read back through the read-only cache by the kernel that wrote them.
#include "workbook.cuh"

__global__ void gray_histogram_kernel(const uint8_t* __restrict__ rgb, uint8_t* gray,
                                      uint32_t* __restrict__ bins, int pixels) {
    const int first = blockIdx.x * 256, i = first + threadIdx.x;
    if (i < pixels)
        gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
    __syncthreads();  // the block has stored its levels
    const int other = first + 255 - threadIdx.x;
    if (other < pixels) atomicAdd(&bins[__ldg(&gray[other])], 1u);  // <- here
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    gray_histogram_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, bins, pixels);
}
