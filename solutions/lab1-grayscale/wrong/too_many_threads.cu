// expect: finding launch
// tasks: grayscale
// fault: no GPU takes 2,048 threads per block.
#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const float sum = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 2048), 2048>>>(rgb, gray, pixels);  // <- here
}
