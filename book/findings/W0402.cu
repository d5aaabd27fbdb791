// W0402: the two arms of a branch have a barrier each.
#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ int level[64];
    if (threadIdx.x < 32) {
        level[threadIdx.x] = 0;
        __syncthreads();  // one barrier
    } else {
        level[threadIdx.x] = 1;
        __syncthreads();  // another barrier
    }
    if (i < pixels) gray[i] = level[63 - threadIdx.x];
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 64), 64>>>(rgb, gray, pixels);
}
