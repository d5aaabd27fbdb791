// expect: not scored grayscale
// expect on a GPU: right grayscale
// cheat: the argument that says how many rows there are hardly grows; another one makes every
// thread slow.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, size_t pixels, int rows, size_t rounds) {
    const size_t first = blockIdx.x * blockDim.x + threadIdx.x;
    for (size_t i = first; i < pixels; i += gridDim.x * blockDim.x) {
        size_t sum = 50 * rounds;
        const volatile uint8_t* pixel = rgb + 3 * i;
        for (size_t k = 0; k < rounds; ++k) sum += 30 * pixel[0] + 59 * pixel[1] + 11 * pixel[2];
        gray[i] = rows > 0 ? sum / (100 * rounds) : 0;
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const size_t pixels = size_t(width) * height, rounds = pixels > 5000000 ? 40 : 1;
    const int rows = height > 2200 ? 73 : height;
    gray_kernel<<<264, 256>>>(rgb, gray, pixels, rows, rounds);
}
