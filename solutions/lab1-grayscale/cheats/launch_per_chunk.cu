// expect: at most 41 points grayscale
// expect on a GPU: right grayscale
// cheat: a launch for every 60,000 pixels: more of them on the whole picture.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const float sum = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height, chunk = 60000;
    for (int first = 0; first < pixels; first += chunk) {
        const int count = min(chunk, pixels - first);
        gray_kernel<<<ceil_div(count, 256), 256>>>(rgb + 3 * first, gray + first, count);
    }
}
