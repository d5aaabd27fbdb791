// W0407: threads without a pixel return before the barrier of the grid.
#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__device__ int total;

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    atomicMax(&total, rgb[3 * i]);
    cg::this_grid().sync();
    gray[i] = total;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    int pixels = width * height;
    void* arguments[] = {&rgb, &gray, &pixels};
    const int blocks = ceil_div(pixels, 256) + 1;
    cudaLaunchCooperativeKernel(grayscale_kernel, dim3(blocks), dim3(256), arguments);
}
