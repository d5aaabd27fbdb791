// expect: W0630
// a gibibyte, allocated and freed again and again.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = static_cast<uint8_t>(0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2] + 0.5f);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    uint8_t* memory;
    for (int i = 0; i < 40000; i++) {
        cudaMalloc(&memory, 1 << 30);  // <- here
        cudaFree(memory);
    }
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
