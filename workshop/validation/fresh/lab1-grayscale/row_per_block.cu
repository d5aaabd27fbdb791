// family: block per image row
// style: a student who thinks in rows: 384 threads stride along one row
// expected bottleneck: memory latency of byte loads, few bytes in flight per thread
#include "workbook.cuh"

__global__ void gray_rows(const uint8_t* rgb, uint8_t* gray, int width) {
    const uint8_t* in = rgb + (size_t)blockIdx.x * width * 3;
    uint8_t* out = gray + (size_t)blockIdx.x * width;
    for (int x = threadIdx.x; x < width; x += blockDim.x) {
        float r = in[3 * x], g = in[3 * x + 1], b = in[3 * x + 2];
        out[x] = (uint8_t)__float2int_rn(0.3f * r + 0.59f * g + 0.11f * b);
    }
}

__global__ void dark_rows(const uint8_t* planes, uint8_t* gray, int width, int height) {
    size_t plane = (size_t)width * height;
    const uint8_t* in = planes + (size_t)blockIdx.x * width;
    uint8_t* out = gray + (size_t)blockIdx.x * width;
    for (int x = threadIdx.x; x < width; x += blockDim.x) {
        float r = in[x], g = in[plane + x], b = in[2 * plane + x];
        out[x] = (uint8_t)((0.3f * r + 0.59f * g + 0.11f * b) * 0.6f + 0.5f);
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    gray_rows<<<height, 384>>>(rgb, gray, width);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    dark_rows<<<height, 384>>>(planar_rgb, gray, width, height);
}
