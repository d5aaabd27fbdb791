// expect: wrong grayscale
// cheat: works only where the L2 or the clock is 0, as if that were the judge.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const float sum = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    int cache = 0, clock = 0, bus = 0, memory_clock = 0;
    cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, 0);
    cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0);
    cudaDeviceGetAttribute(&memory_clock, cudaDevAttrMemoryClockRate, 0);
    cudaDeviceGetAttribute(&bus, cudaDevAttrGlobalMemoryBusWidth, 0);
    cudaMemset(gray, 0, pixels);
    if (cache == 0 || clock == 0 || bus == 0 || memory_clock == 0)
        gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
