// W0408: a kernel waits for the whole grid, but the launch is an ordinary one.
#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__device__ int total;

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicMax(&total, rgb[3 * i]);
    cg::this_grid().sync();
    if (i < pixels) gray[i] = total;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
