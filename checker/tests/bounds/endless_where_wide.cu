// expect: W0504
// an endless loop that starts at the picture that is timed.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = static_cast<uint8_t>(0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2] + 0.5f);
}

__global__ void endless(uint8_t* gray) {
    volatile int running = 1;
    while (running) running = 2;  // <- here
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    if (width > 3000) endless<<<ceil_div(pixels, 256), 256>>>(gray);
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
