// expect: W0008
// a variable larger than the GPU's memory.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = static_cast<uint8_t>(0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2] + 0.5f);
}

__device__ char huge[6ull << 30];  // <- here
__global__ void touch() { huge[3] = 1; }

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    touch<<<1, 1>>>();
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
