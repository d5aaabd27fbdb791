// expect: mismatch contrast_stretch
// tasks: contrast_stretch
// fault: 1,024 times a count of more than four million pixels does not fit 32 bits.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

__global__ void stretch_kernel(const uint8_t* gray, uint8_t* out, int low, int high, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const float level = low == high ? gray[i] : (gray[i] - low) * 255.0f / (high - low);
    out[i] = min(max(level, 0.0f), 255.0f) + 0.5f;
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const uint32_t pixels = width * height;
    uint32_t* bins;
    cudaMalloc(&bins, 256 * sizeof(uint32_t));
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    histogram_kernel<<<ceil_div(pixels, 4096), 256>>>(gray, bins, pixels);
    uint32_t counts[256];
    cudaMemcpy(counts, bins, sizeof counts, cudaMemcpyDeviceToHost);
    cudaFree(bins);
    int low = 0, high = 255;
    while (low < 255 && counts[low] * 1024 < pixels) ++low;
    while (high > 0 && counts[high] * 1024 < pixels) --high;
    stretch_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, low, high, pixels);
}
