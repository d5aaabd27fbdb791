// expect: not scored grayscale
// expect on a GPU: right grayscale
// cheat: one thread of the timed picture, told by block and thread together, follows a chain of two thousand loads, each of which
// needs the one before it: few instructions, and many times the time of all others.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels, int turns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    if (i % 4000037 == 1234567) {
        unsigned x = i;
        for (int k = 0; k < turns; ++k) x = x * 1664525 + rgb[(x >> 3) % 100000000];
        if (x == 7 && turns == 8) gray[0] = 1;
    }
    gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels, pixels > 40000000 ? 2000 : 0);
}
