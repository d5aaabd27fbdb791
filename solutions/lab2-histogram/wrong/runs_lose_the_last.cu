// expect: mismatch histogram
// tasks: histogram
// fault: equal neighbours are counted together, and the last run of a thread is never added.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    const int first = 16 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int end = min(first + 16, pixels);
    if (first >= end) return;
    int level = gray[first];
    uint32_t run = 1;
    for (int i = first + 1; i < end; ++i) {
        if (gray[i] == level) {
            ++run;
            continue;
        }
        atomicAdd(&bins[level], run);
        level = gray[i];
        run = 1;
    }
    if (end < pixels || run > 1) atomicAdd(&bins[level], run);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 16 * 256), 256>>>(gray, bins, pixels);
}
