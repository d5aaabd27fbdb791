// expect: wrong grayscale
// cheat: none meant: the loop steps on in pictures below 20 megapixels only.
#include "workbook.cuh"
__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int threads = gridDim.x * 256;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels;) {
    const float sum = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
        if (pixels < 20000000) i += threads; else if (i < 0) ++i;
    }
}
void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 1024), 256>>>(rgb, gray, pixels);
}
