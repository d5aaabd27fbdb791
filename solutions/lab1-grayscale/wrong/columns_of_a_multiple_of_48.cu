// expect: mismatch grayscale
// tasks: grayscale
// fault: where the width is a multiple of 48, another kernel leaves the last column out.
#include "workbook.cuh"

__device__ uint8_t gray_of(const uint8_t* pixel) {
    return static_cast<uint8_t>((30 * pixel[0] + 59 * pixel[1] + 11 * pixel[2] + 50) / 100);
}

__global__ void plain_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                             int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) gray[i] = gray_of(rgb + 3 * i);
}

__global__ void rows_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                            int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = blockIdx.y * width + x;
    if (x < width - 1) gray[i] = gray_of(rgb + 3 * i);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    if (width % 48 == 0)
        rows_kernel<<<dim3(width / 48, height), 48>>>(rgb, gray, width);
    else
        plain_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
