// expect: mismatch contrast_stretch
// tasks: contrast_stretch
// cause: threshold_rounded_down
// fault: pixels / 1024 is rounded down: a level with one pixel less than it takes counts.
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
    const uint32_t threshold = max(pixels / 1024, 1);
    Range range = {0, 255};
    while (range.low < 255 && counts[range.low] < threshold) ++range.low;
    while (range.high > range.low && counts[range.high] < threshold) --range.high;
    return range;
}

__global__ void stretch_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                               Range range, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const int width = range.high - range.low;
    const int above = min(max(gray[i] - range.low, 0), width);
    out[i] = width == 0 ? gray[i] : (255 * above + width / 2) / width;
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t counts[256];
    count_levels(gray, pixels, counts);
    const Range range = find_range(counts, pixels);
    stretch_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, range, pixels);
}
