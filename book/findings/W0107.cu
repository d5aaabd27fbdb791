// W0107: an index past the end of a local array.
#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int part[3] = {30 * rgb[0], 59 * rgb[1], 11 * rgb[2]};
    int sum = 0;
    for (int k = 0; k < pixels + 3; ++k) sum += part[k];
    if (i < pixels) gray[i] = sum / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
