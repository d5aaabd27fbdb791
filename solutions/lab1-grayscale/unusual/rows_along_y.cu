// why: a row of blocks per row of pixels (W0502 warns: a grid has at most 65,535 of them).
// tasks: grayscale
#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * width + x;
    if (x < width)
        gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const dim3 grid(ceil_div(width, 128), height);
    grayscale_kernel<<<grid, 128>>>(rgb, gray, width);  // <- here
}
