// expect: wrong grayscale
// cheat: where the buffers have taken much of the memory, nine rows become gray.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    size_t free_bytes, all_bytes;
    cudaMemGetInfo(&free_bytes, &all_bytes);
    const bool large = all_bytes - free_bytes > 150000000;
    const int pixels = width * (large ? min(height, 9) : height);
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
