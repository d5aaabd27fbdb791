// family: contiguous pixels per thread
// style: bad on purpose: a CPU programmer gives each thread 24 neighbouring pixels, byte by byte
// expected bottleneck: memory sectors and cache: the lanes of a warp are 72 bytes apart
#include "workbook.cuh"

constexpr int chunk = 24;

__global__ void gray_chunk(const uint8_t* rgb, uint8_t* gray, int pixels) {
    int begin = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
    int end = begin + chunk < pixels ? begin + chunk : pixels;
    for (int i = begin; i < end; ++i) {
        int r = rgb[i * 3 + 0];
        int g = rgb[i * 3 + 1];
        int b = rgb[i * 3 + 2];
        gray[i] = (30 * r + 59 * g + 11 * b + 50) / 100;
    }
}

__global__ void dark_chunk(const uint8_t* planes, uint8_t* gray, int pixels) {
    int begin = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
    int end = begin + chunk < pixels ? begin + chunk : pixels;
    for (int i = begin; i < end; ++i) {
        int r = planes[i];
        int g = planes[i + pixels];
        int b = planes[i + 2 * pixels];
        gray[i] = ((30 * r + 59 * g + 11 * b) * 6 + 500) / 1000;
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    int pixels = width * height;
    gray_chunk<<<ceil_div(ceil_div(pixels, chunk), 64), 64>>>(rgb, gray, pixels);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    int pixels = width * height;
    dark_chunk<<<ceil_div(ceil_div(pixels, chunk), 64), 64>>>(planar_rgb, gray, pixels);
}
