// W0616: a kernel is to read host memory in place.
#include "workbook.cuh"

__device__ int level_of(const uint8_t* pixel) {
    return (30 * pixel[0] + 59 * pixel[1] + 11 * pixel[2] + 50) / 100;
}

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) gray[i] = level_of(rgb + 3 * i);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    uint8_t* host = static_cast<uint8_t*>(malloc(pixels));
    uint8_t* device;
    cudaHostGetDevicePointer(&device, host, 0);
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
    free(host);
}
