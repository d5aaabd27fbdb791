// why: the launch writes the first template argument, which has a default, and leaves the rest to
// be deduced.
// tasks: grayscale, grayscale_darken
#include "workbook.cuh"

template <int per_pixel = 3, typename In, typename Out>
__global__ void gray_kernel(const In* rgb, Out* gray, int plane, int percent, int offset, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const In* pixel = rgb + per_pixel * i;
    const int sum = 30 * pixel[0] + 59 * pixel[plane] + 11 * pixel[2 * plane];
    gray[i] = (sum * percent + offset) / 10000;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    gray_kernel<3><<<ceil_div(pixels, 256), 256>>>(rgb, gray, 1, 100, 5000, pixels);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    gray_kernel<1><<<ceil_div(pixels, 256), 256>>>(planar_rgb, gray, pixels, 60, 5000, pixels);
}
