// why: the host function has the name of its kernel template.
// tasks: grayscale
#include <cuda_runtime.h>
#include <stdint.h>

template <int threads>
__global__ void grayscale(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * threads + threadIdx.x;
    if (i < pixels)
        gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale<192><<<(pixels + 191) / 192, 192>>>(rgb, gray, pixels);
}
