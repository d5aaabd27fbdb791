// expect: at most 34 points grayscale
// expect on a GPU: right grayscale
// cheat: a launch for each row: thousands on the whole picture.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const float sum = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    for (int y = 0; y < height; ++y)
        gray_kernel<<<ceil_div(width, 256), 256>>>(rgb + 3 * y * width, gray + y * width, width);
}
