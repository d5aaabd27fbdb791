// expect: finding memory
// tasks: grayscale
// engine: simulator
// fault: the number of pixels goes to the GPU for the largest picture so far only.
#include "workbook.cuh"

__constant__ int pixels;

__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels)
        gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    static int largest = 0;
    const int count = width * height;
    if (count > largest) {
        WORKBOOK_CHECK(cudaMemcpyToSymbol(pixels, &count, sizeof(count)));
        largest = count;
    }
    grayscale_kernel<<<ceil_div(count, 256), 256>>>(rgb, gray);
}
