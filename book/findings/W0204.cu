// W0204: the tile has one element more than the block has threads, and nobody loads it.
#include "workbook.cuh"

__device__ int level_of(const uint8_t* pixel) {
    return (30 * pixel[0] + 59 * pixel[1] + 11 * pixel[2] + 50) / 100;
}

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ uint8_t tile[256 + 1];
    if (i < pixels) tile[threadIdx.x] = level_of(rgb + 3 * i);
    __syncthreads();  // the tile is filled, but for its last element
    if (i < pixels) gray[i] = tile[threadIdx.x + 1];
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
