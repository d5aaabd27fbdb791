// expect: mismatch histogram
// tasks: histogram
// cause: grid_sides_swapped
// fault: the grid is as wide as the image is high: a part of the image has no threads.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    atomicAdd(&bins[gray[y * width + x]], 1u);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const dim3 block(16, 16);
    const dim3 grid(ceil_div(height, 16), ceil_div(width, 16));
    histogram_kernel<<<grid, block>>>(gray, bins, width, height);
}
