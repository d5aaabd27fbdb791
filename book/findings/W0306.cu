// W0306: many threads set the same flag.
#include "workbook.cuh"

__device__ int level_of(const uint8_t* pixel) {
    return (30 * pixel[0] + 59 * pixel[1] + 11 * pixel[2] + 50) / 100;
}

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ volatile int bright;
    if (threadIdx.x == 0) bright = 0;
    __syncthreads();  // the flag is clear
    if (i < pixels && rgb[3 * i] > 99) bright = 1;
    __syncthreads();  // every thread has looked at its pixel
    if (i < pixels) gray[i] = bright == 1 ? level_of(rgb + 3 * i) : level_of(rgb + 3 * i);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
