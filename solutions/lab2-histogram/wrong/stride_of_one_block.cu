// expect: mismatch histogram
// tasks: histogram
// fault: the stride is that of one block, so that blocks count the pixels of later ones again.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += blockDim.x)
        atomicAdd(&bins[gray[i]], 1u);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<64, 256>>>(gray, bins, pixels);
}
