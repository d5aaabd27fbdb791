// expect: mismatch contrast_stretch
// tasks: contrast_stretch
// fault: pixels / 1024 is rounded up by adding 0.999, which is too little for a remainder of 1.
#include "workbook.cuh"

__global__ void count(const uint8_t* gray, uint32_t* bins, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[gray[i]], 1u);
}

__global__ void stretch(const uint8_t* gray, uint8_t* out, int low, int high, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int v = min(max(int(gray[i]), low), high) - low;
    out[i] = low == high ? gray[i] : (255 * v + (high - low) / 2) / (high - low);
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int n = width * height;
    uint32_t *bins, counts[256];
    cudaMalloc(&bins, sizeof counts);
    cudaMemset(bins, 0, sizeof counts);
    count<<<ceil_div(n, 256), 256>>>(gray, bins, n);
    cudaMemcpy(counts, bins, sizeof counts, cudaMemcpyDeviceToHost);
    cudaFree(bins);
    const uint32_t threshold = n / 1024.0f + 0.999f;
    int low = 0, high = 255;
    while (low < 255 && counts[low] < threshold) ++low;
    while (high > low && counts[high] < threshold) --high;
    stretch<<<ceil_div(n, 256), 256>>>(gray, out, low, high, n);
}
