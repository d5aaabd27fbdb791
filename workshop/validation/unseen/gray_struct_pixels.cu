// lab1 grayscale: a struct of three bytes, one thread a pixel, 96 threads a block, float weights
// Limit: three loads of a byte with a stride of three
#include "workbook.cuh"

struct Pixel {
    uint8_t r, g, b;
};

__global__ void convert(const Pixel* in, uint8_t* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (uint8_t)(0.3f * in[i].r + 0.59f * in[i].g + 0.11f * in[i].b + 0.5f);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    int n = width * height;
    convert<<<ceil_div(n, 96), 96>>>(reinterpret_cast<const Pixel*>(rgb), gray, n);
}
