// W0510: a local array that no thread may have.
#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    volatile uint8_t rows[1 << 20];
    if (i >= pixels) return;
    rows[rgb[3 * i] * 1000] = rgb[3 * i];
    gray[i] = rows[rgb[3 * i] * 1000];
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
