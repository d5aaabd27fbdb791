// W0104: a kernel stores to constant memory.
#include "workbook.cuh"

__constant__ int weights[3] = {30, 59, 11};
__device__ int copy[3];

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int* changed = pixels > 0 ? const_cast<int*>(weights) : copy;
    if (i == 0) changed[pixels % 3] = 31;
    if (i < pixels) gray[i] = (weights[0] * rgb[3 * i] + weights[1] * rgb[3 * i + 1]) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
