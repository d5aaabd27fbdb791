// expect: mismatch contrast_stretch
// tasks: contrast_stretch
// fault: sixteen pixels at once, and the rest is counted from the last multiple of four on: up to
// twelve pixels are never counted. The levels that matter are right in most pictures all the same.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();  // every counter is zero
    const uint4* vectors = reinterpret_cast<const uint4*>(gray);
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels / 16; i += gridDim.x * 256) {
        const uint4 vector = vectors[i];
        const uint32_t words[4] = {vector.x, vector.y, vector.z, vector.w};
        for (int k = 0; k < 16; ++k) atomicAdd(&counts[words[k / 4] >> 8 * (k % 4) & 255], 1u);
    }
    for (int i = pixels / 4 * 4 + blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();  // every pixel is counted
    if (counts[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

// The histogram of an image, in host memory.
void count_levels(const uint8_t* gray, int pixels, uint32_t* counts) {
    uint32_t* bins;
    cudaMalloc(&bins, 256 * sizeof(uint32_t));
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    histogram_kernel<<<120, 256>>>(gray, bins, pixels);
    cudaMemcpy(counts, bins, 256 * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    cudaFree(bins);
}

struct Range {
    int low, high;
};

Range find_range(const uint32_t* counts, int pixels) {
    const uint32_t threshold = ceil_div(pixels, 1024);
    Range range = {0, 255};
    while (counts[range.low] < threshold) ++range.low;
    while (counts[range.high] < threshold) --range.high;
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
    stretch_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, find_range(counts, pixels), pixels);
}
