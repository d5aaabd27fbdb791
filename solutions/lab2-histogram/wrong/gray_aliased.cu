// expect: finding race
// tasks: gray_histogram
// engine: simulator
// fault: input and output of a kernel are one array, and both are `__restrict__`.
#include "workbook.cuh"

// Stores the levels, then counts those that other threads of the block have stored.
__global__ void gray_histogram_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                      const uint8_t* __restrict__ levels,
                                      uint32_t* __restrict__ bins, int pixels) {
    const int first = blockIdx.x * 256, i = first + threadIdx.x;
    if (i < pixels)
        gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
    __syncthreads();  // the block has stored its levels
    const int other = first + (threadIdx.x + 32) % 256;
    if (other < pixels) atomicAdd(&bins[levels[other]], 1u);  // <- here
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    gray_histogram_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, gray, bins, pixels);
}
