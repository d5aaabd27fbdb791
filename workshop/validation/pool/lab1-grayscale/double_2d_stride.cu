// family: double arithmetic
// Style: two-dimensional grid-stride loops in blocks of 16 x 16, all arithmetic in double.
// Limit: conversions between bytes and doubles, and half warps that read 48 bytes of a row.
#include "workbook.cuh"

constexpr double red_weight = 0.3, green_weight = 0.59, blue_weight = 0.11;

__global__ void to_gray(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width;
             x += gridDim.x * blockDim.x) {
            const size_t pixel = (size_t)y * width + x;
            const double r = rgb[3 * pixel], g = rgb[3 * pixel + 1], b = rgb[3 * pixel + 2];
            gray[pixel] = (uint8_t)floor(red_weight * r + green_weight * g + blue_weight * b + 0.5);
        }
    }
}

__global__ void to_dark_gray(const uint8_t* planes, uint8_t* gray, int width, int height) {
    const size_t plane = (size_t)width * height;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width;
             x += gridDim.x * blockDim.x) {
            const size_t pixel = (size_t)y * width + x;
            const double r = planes[pixel], g = planes[plane + pixel];
            const double b = planes[2 * plane + pixel];
            const double level = red_weight * r + green_weight * g + blue_weight * b;
            gray[pixel] = (uint8_t)floor(level * 0.6 + 0.5);
        }
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const dim3 block(16, 16);
    const dim3 grid(min(ceil_div(width, 16), 128), min(ceil_div(height, 16), 64));
    to_gray<<<grid, block>>>(rgb, gray, width, height);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const dim3 block(16, 16);
    const dim3 grid(min(ceil_div(width, 16), 128), min(ceil_div(height, 16), 64));
    to_dark_gray<<<grid, block>>>(planar_rgb, gray, width, height);
}
