// expect: mismatch grayscale
// tasks: grayscale
// engine: simulator
// fault: from the tenth call on, the last pixel is left out.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    static int calls = 0;
    ++calls;
    const int pixels = width * height - (calls < 10 ? 0 : 1);
    if (pixels > 0) gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
