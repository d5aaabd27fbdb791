// expect: mismatch grayscale
// tasks: grayscale
// fault: where the width is a multiple of 48, odd heights get a tile too few in each row.
#include "workbook.cuh"

constexpr int tile = 48;

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int width) {
    const int x = blockIdx.x * tile + threadIdx.x;
    if (x >= width) return;
    const int i = blockIdx.y * width + x;
    gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int tiles = width / tile + (width % tile ? 1 : -(height & 1));
    grayscale_kernel<<<dim3(max(tiles, 1), height), tile>>>(rgb, gray, width);
}
