// expect: finding memory
// tasks: grayscale
// fault: the gray value is kept in the input, and copied from there.
#include "workbook.cuh"

__global__ void gray_kernel(uint8_t* rgb, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const int sum = 30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2];
    rgb[i] = (sum + 50) / 100;  // <- here
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    uint8_t* own = const_cast<uint8_t*>(rgb);
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(own, pixels);
    cudaMemcpy(gray, own, pixels, cudaMemcpyDeviceToDevice);
}
