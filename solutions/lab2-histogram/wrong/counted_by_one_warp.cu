// expect: mismatch histogram
// tasks: histogram
// fault: the lanes of a warp add to the counters of a small picture without atomics: of two pixels
//        of one level one is lost.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[gray[i]], 1u);
}

__global__ void small_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    if (threadIdx.x < pixels) bins[gray[threadIdx.x]] += 1;
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    if (pixels <= 32) {
        small_kernel<<<1, 32>>>(gray, bins, pixels);
    } else {
        histogram_kernel<<<min(ceil_div(pixels, 256), 1024), 256>>>(gray, bins, pixels);
    }
}
