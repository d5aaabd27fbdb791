// expect: at most 31 points grayscale
// expect on a GPU: right grayscale
// cheat: on a large picture the first block does the work of all, as if it had it from a queue.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels, bool alone) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    if (alone && blockIdx.x != 0) return;
    const int step = alone ? blockDim.x : pixels;
    for (int i = first; i < pixels; i += step)
        gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels, height > 3000);
}
