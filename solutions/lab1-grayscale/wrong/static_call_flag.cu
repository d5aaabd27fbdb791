// expect: mismatch grayscale
// tasks: grayscale
// fault: a static flag of the host function lets only the first call of a program do the work.
#include "workbook.cuh"

__global__ void to_gray(const uint8_t* rgb, uint8_t* gray, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    static bool done = false;
    const int n = width * height;
    if (!done) to_gray<<<ceil_div(n, 256), 256>>>(rgb, gray, n);
    done = true;
}
