// expect: W0630
// copies of tens of millions of rows of one byte.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = static_cast<uint8_t>(0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2] + 0.5f);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    uint8_t* memory;
    WORKBOOK_CHECK(cudaMalloc(&memory, 1 << 28));
    for (int i = 0; i < 20; i++) {
        cudaMemcpy2D(memory, 2, memory + (1 << 27), 2, 1, 60000000, cudaMemcpyDeviceToDevice);  // <- here
    }
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
