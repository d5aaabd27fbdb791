// W0614: the name of the variable in quotes in place of the variable.
#include "workbook.cuh"

__constant__ int weights[3];

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels)
        gray[i] = (weights[0] * rgb[3 * i] + weights[1] * rgb[3 * i + 1] +
                   weights[2] * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    const int values[3] = {30, 59, 11};
    cudaMemcpyToSymbol("weights", values, sizeof(values));
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
