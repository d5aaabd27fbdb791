// expect: mismatch histogram
// tasks: histogram
// engine: simulator
// fault: counts are kept for pictures of the same size whose first and last bytes are the same.
#include <cstring>
#include "workbook.cuh"

constexpr int inspected = 512;

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    static uint32_t kept[256];
    static uint8_t before[2][inspected];
    static int size = 0;
    const int pixels = width * height;
    uint8_t now[2][inspected] = {};
    const int part = pixels < inspected ? pixels : inspected;
    WORKBOOK_CHECK(cudaMemcpy(now[0], gray, part, cudaMemcpyDeviceToHost));
    WORKBOOK_CHECK(cudaMemcpy(now[1], gray + pixels - part, part, cudaMemcpyDeviceToHost));
    if (size == pixels && memcmp(now, before, sizeof now) == 0) {
        WORKBOOK_CHECK(cudaMemcpy(bins, kept, sizeof kept, cudaMemcpyHostToDevice));
        return;
    }
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
    WORKBOOK_CHECK(cudaMemcpy(kept, bins, sizeof kept, cudaMemcpyDeviceToHost));
    memcpy(before, now, sizeof now);
    size = pixels;
}
