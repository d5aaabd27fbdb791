// expect: finding race
// tasks: grayscale
// engine: simulator
// fault: the host writes a managed variable while the kernel before may still be reading it.
#include "workbook.cuh"

__managed__ int first;

__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int pixels) {
    const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels)
        gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height, half = ceil_div(pixels, 2);
    first = 0;
    grayscale_kernel<<<ceil_div(half, 256), 256>>>(rgb, gray, pixels);
    first = half;  // <- here
    grayscale_kernel<<<ceil_div(half, 256), 256>>>(rgb, gray, pixels);
    WORKBOOK_CHECK(cudaDeviceSynchronize());
}
