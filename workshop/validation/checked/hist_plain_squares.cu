// lab2 histogram: squares of 16 x 16, one global atomic a pixel
// Limit: global atomics on few addresses
#include "workbook.cuh"

__global__ void squares(const uint8_t* gray, uint32_t* bins, int width, int height) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < width && y < height) atomicAdd(&bins[gray[y * width + x]], 1u);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    squares<<<dim3(ceil_div(width, 16), ceil_div(height, 16)), dim3(16, 16)>>>(gray, bins, width, height);
}
