// expect: mismatch contrast_stretch
// tasks: contrast_stretch
// cause: threshold_exceeded
// fault: a bin has to exceed the threshold here, and where none does, the two searches cross.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}

// The histogram of an image, in host memory.
void count_levels(const uint8_t* gray, int pixels, uint32_t* counts) {
    uint32_t* bins;
    cudaMalloc(&bins, 256 * sizeof(uint32_t));
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
    cudaMemcpy(counts, bins, 256 * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    cudaFree(bins);
}

struct Range {
    int low, high;
};

Range find_range(const uint32_t* counts, int pixels) {
    const uint32_t threshold = ceil_div(pixels, 1024);
    Range range = {0, 255};
    while (counts[range.low] <= threshold && range.low < 255) ++range.low;
    while (counts[range.high] <= threshold && range.high > 0) --range.high;
    return range;
}

__global__ void stretch_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                               Range range, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const int level = gray[i], width = range.high - range.low;
    if (width == 0)
        out[i] = level;
    else if (level < range.low)
        out[i] = 0;
    else if (level > range.high)
        out[i] = 255;
    else
        out[i] = (255 * (level - range.low) + width / 2) / width;
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t counts[256];
    count_levels(gray, pixels, counts);
    const Range range = find_range(counts, pixels);
    stretch_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, range, pixels);
}
