// expect: mismatch grayscale
// tasks: grayscale
// cause: grid_sides_swapped
// fault: the grid is as wide as the image is high: a part of the image has no threads.
#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int i = y * width + x;
    const float sum = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const dim3 block(32, 8);
    const dim3 grid(ceil_div(height, 32), ceil_div(width, 8));
    grayscale_kernel<<<grid, block>>>(rgb, gray, width, height);
}
