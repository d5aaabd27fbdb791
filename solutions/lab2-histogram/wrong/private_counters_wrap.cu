// expect: mismatch histogram
// tasks: histogram
// fault: a thread counts equal pixels in a byte, and adds them only when another level follows.
#include "workbook.cuh"

// Each thread adds a run of equal pixels at once.
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    const int first = 512 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int end = min(first + 512, pixels);
    if (first >= end) return;
    uint8_t level = gray[first];
    uint8_t count = 0;
    for (int i = first; i < end; ++i) {
        if (gray[i] != level) {
            atomicAdd(&bins[level], static_cast<uint32_t>(count));
            level = gray[i];
            count = 0;
        }
        ++count;
    }
    atomicAdd(&bins[level], static_cast<uint32_t>(count));
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 512 * 64), 64>>>(gray, bins, pixels);
}
