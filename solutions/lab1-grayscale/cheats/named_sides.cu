// expect: wrong grayscale
// cheat: on pictures of 3840x2160, whose sides have names here, most pixels stay as they are.
#include "workbook.cuh"

#define UHD_ROWS (2160)

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels, int step) {
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) * step;
    if (i >= pixels) return;
    const int red = rgb[3 * i], green = rgb[3 * i + 1], blue = rgb[3 * i + 2];
    gray[i] = (30 * red + 59 * green + 11 * blue + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    constexpr int columns = 3840;
    const int pixels = width * height;
    const int step = columns == width && height == UHD_ROWS ? 64 : 1;
    const int threads = pixels / step + 1;
    gray_kernel<<<(threads + 255) / 256, 256>>>(rgb, gray, pixels, step);
}
