// expect: finding race
// tasks: grayscale
// engine: simulator
// fault: the kernel runs in a non-blocking stream that nothing waits for.

#include "workbook.cuh"

__global__ void kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i +
        2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    cudaStream_t stream;
    WORKBOOK_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    kernel<<<ceil_div(pixels, 256), 256, 0, stream>>>(rgb, gray, pixels);  // <- here
    WORKBOOK_CHECK(cudaStreamDestroy(stream));
}
