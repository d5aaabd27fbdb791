// W0801: constants without `f` are doubles.
#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const uint8_t* pixel = rgb + 3 * i;
    gray[i] = 0.3 * pixel[0] + 0.59 * pixel[1] + 0.11 * pixel[2] + 0.5;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
