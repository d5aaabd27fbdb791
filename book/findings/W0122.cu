// W0122: the kernel changes its input.
#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    uint8_t* pixel = const_cast<uint8_t*>(rgb + 3 * i);
    pixel[0] = (30 * pixel[0] + 59 * pixel[1] + 11 * pixel[2] + 50) / 100;
    gray[i] = pixel[0];
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
