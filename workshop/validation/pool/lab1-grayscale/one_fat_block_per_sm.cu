// family: few blocks
// style: persistent threads: as many blocks of 1024 threads as there are multiprocessors, a grid-stride loop of single pixels
// expected bottleneck: latency: 32 warps per multiprocessor with three byte loads in flight each
#include "workbook.cuh"

__global__ __launch_bounds__(1024, 1) void persistent_gray(const uint8_t* rgb, uint8_t* gray,
                                                           int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        gray[i] = __float2uint_rn(0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] +
                                  0.11f * rgb[3 * i + 2]);
}

__global__ __launch_bounds__(1024, 1) void persistent_dark(const uint8_t* r, const uint8_t* g,
                                                           const uint8_t* b,
                                                           uint8_t* gray, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        gray[i] = __float2uint_rz((0.3f * r[i] + 0.59f * g[i] + 0.11f * b[i]) * 0.6f + 0.5f);
}

int sms() {
    int device = 0, count = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
    return count;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    persistent_gray<<<sms(), 1024>>>(rgb, gray, width * height);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    persistent_dark<<<sms(), 1024>>>(planar_rgb, planar_rgb + n, planar_rgb + 2 * n, gray, n);
}
