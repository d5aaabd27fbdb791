// expect: passed
// text without end: it is cut.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = static_cast<uint8_t>(0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2] + 0.5f);
}

__global__ void print(int width) {
    for (int i = 0; i < 50; i++) {
        printf("%*d %.*f %1000000000d\n", 2000000000, width, 2000000000, 1.0, width);
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    if (pixels < 1000) print<<<64, 64>>>(width);
    for (int i = 0; i < 100; i++) printf("%*d %.*f %1000000000d\n", 2000000000, i, 2000000000, 1.0, i);
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
