// expect: mismatch grayscale
// tasks: grayscale
// fault: the row is the pixel's number times a rounded 1 / width: at widths such as 61 the first
//        pixel of a row falls into the row above.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int width, int height,
                            float rows_per_pixel) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = static_cast<int>(i * rows_per_pixel), x = i - y * width;
    if (x >= width || y >= height) return;
    const int at = y * width + x;
    gray[at] = (30 * rgb[3 * at] + 59 * rgb[3 * at + 1] + 11 * rgb[3 * at + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    gray_kernel<<<ceil_div(width * height, 256), 256>>>(rgb, gray, width, height, 1.0f / width);
}
