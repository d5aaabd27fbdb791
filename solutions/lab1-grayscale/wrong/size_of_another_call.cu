// expect: mismatch grayscale
// tasks: grayscale
// engine: simulator
// fault: the size is sent if it differs from that of the first call, not of the call before.
#include "workbook.cuh"

__constant__ int pixels;

__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < min(pixels, most))
        gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    static int first = 0;
    const int now = width * height;
    if (now != first) cudaMemcpyToSymbol(pixels, &now, sizeof now);
    if (first == 0) first = now;
    grayscale_kernel<<<ceil_div(now, 256), 256>>>(rgb, gray, now);
}
