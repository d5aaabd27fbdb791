// why: the launch leaves the template arguments to be deduced, as nvcc allows.
// tasks: grayscale, grayscale_darken
#include "workbook.cuh"

template <typename In, typename Out>
__global__ void gray_kernel(const In* rgb, Out* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

// The block size is given, the types are deduced.
template <int threads, class T>
__global__ void __launch_bounds__(threads) darken_kernel(const T* planar, T* gray, int pixels) {
    const int i = blockIdx.x * threads + threadIdx.x;
    if (i >= pixels) return;
    const T *green = planar + pixels, *blue = green + pixels;
    const float sum = 0.3f * planar[i] + 0.59f * green[i] + 0.11f * blue[i];
    gray[i] = static_cast<T>(sum * 0.6f + 0.5f);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    gray_kernel<<<ceil_div(width * height, 256), 256>>>(rgb, gray, width * height);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    darken_kernel<128><<<ceil_div(pixels, 128), 128>>>(planar_rgb, gray, pixels);
}
