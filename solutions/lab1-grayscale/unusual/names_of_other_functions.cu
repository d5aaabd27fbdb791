// why: two kernels of one name, and kernels named like functions of the C and C++ libraries.
// tasks: grayscale, grayscale_darken
#include "workbook.cuh"
#include <numeric>
using namespace std;

__device__ int at() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void convert(const uint8_t* rgb, float* sums, int pixels) {
    const int i = at();
    if (i >= pixels) return;
    sums[i] = 0.30f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];
}
__global__ void convert(const float* sums, uint8_t* gray, unsigned pixels, float half = 0.5f) {
    const unsigned i = at();
    if (i < pixels) gray[i] = sums[i] + half;
}
__global__ void accumulate(const uint8_t* planes, uint16_t* sums, int pixels) {
    const int i = at();
    if (i >= pixels) return;
    sums[i] = 30 * planes[i] + 59 * planes[pixels + i] + 11 * planes[2 * pixels + i];
}
__global__ void round(const uint16_t* sums, uint8_t* gray, int pixels) {
    const int i = at();
    if (i < pixels) gray[i] = (sums[i] * 6 + 500) / 1000;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    float* sums;
    WORKBOOK_CHECK(cudaMalloc(&sums, pixels * sizeof(float)));
    convert<<<ceil_div(pixels, 256), 256>>>(rgb, sums, pixels);
    convert<<<ceil_div(pixels, 256), 256>>>(sums, gray, pixels, 0.5001f);
    WORKBOOK_CHECK(cudaFree(sums));
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    uint16_t* sums;
    WORKBOOK_CHECK(cudaMalloc(&sums, pixels * sizeof(uint16_t)));
    accumulate<<<ceil_div(pixels, 256), 256>>>(planar_rgb, sums, pixels);
    round<<<ceil_div(pixels, 256), 256>>>(sums, gray, pixels);
    WORKBOOK_CHECK(cudaFree(sums));
}
