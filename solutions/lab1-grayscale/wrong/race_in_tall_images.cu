// expect: finding race
// tasks: grayscale
// engine: simulator
// fault: in images of more than 400 rows nobody waits for the sums of the other warps.
#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int width, int height) {
    __shared__ float sums[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, pixels = width * height;
    float sum = 0.5f;
    if (i < pixels) sum += 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];
    sums[threadIdx.x] = sum;  // <- here
    if (height <= 400) __syncthreads();  // the sums are there
    const int other = threadIdx.x ^ 32, first = i - threadIdx.x;  // as an exercise: another's pixel
    if (first + other < pixels) gray[first + other] = static_cast<uint8_t>(sums[other]);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, width, height);
}
