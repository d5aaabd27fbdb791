// expect: finding memory
// tasks: grayscale
// fault: the kernel is given the address of an array of the host function.
#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 const float* __restrict__ weights, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    float sum = 0.5f;
    for (int k = 0; k < 3; ++k) sum += weights[k] * rgb[3 * i + k];
    gray[i] = static_cast<uint8_t>(sum);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    const float weights[3] = {0.3f, 0.59f, 0.11f};
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, weights, pixels);  // <- here
}
