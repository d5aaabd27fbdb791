// lab1 grayscale_darken: a first kernel writes the float gray to a scratch image, a second darkens it
// Limit: DRAM: eight more bytes a pixel
#include "workbook.cuh"

__global__ void first(const uint8_t* p, float* f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f[i] = 0.3f * p[i] + 0.59f * p[i + n] + 0.11f * p[i + 2 * n];
}

__global__ void second(const float* f, uint8_t* o, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) o[i] = (uint8_t)(f[i] * 0.6f + 0.5f);
}

void grayscale_darken(const uint8_t* p, uint8_t* gray, int width, int height) {
    int n = width * height;
    float* f;
    cudaMalloc(&f, n * sizeof(float));
    first<<<ceil_div(n, 256), 256>>>(p, f, n);
    second<<<ceil_div(n, 256), 256>>>(f, gray, n);
    cudaFree(f);
}
