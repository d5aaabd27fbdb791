// expect: finding compile
// tasks: grayscale
// fault: the kernel calls a member function that is not marked `__device__`.
#include "workbook.cuh"

struct Weights {
    int red, green, blue;
    int gray(const uint8_t* rgb) const {
        return (red * rgb[0] + green * rgb[1] + blue * rgb[2] + 50) / 100;
    }
};

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, Weights weights, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) gray[i] = weights.gray(rgb + 3 * i);  // <- here
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, {30, 59, 11}, pixels);
}
