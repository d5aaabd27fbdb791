// expect: mismatch contrast_stretch
// tasks: contrast_stretch
// engine: simulator
// fault: after a picture of more than four million pixels the range is not set back.
#include "workbook.cuh"

constexpr int levels = 256;

// The highest level that matters, and 255 minus the lowest.
__device__ int ends[2];

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ uint32_t counts[levels];
    counts[threadIdx.x] = 0;
    __syncthreads();
    const int stride = gridDim.x * levels;
    for (int i = blockIdx.x * levels + threadIdx.x; i < pixels; i += stride)
        atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();
    if (counts[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

__global__ void range_kernel(const uint32_t* bins, int pixels) {
    const int level = threadIdx.x;
    if (bins[level] < static_cast<uint32_t>(ceil_div(pixels, 1024))) return;
    atomicMax(&ends[0], level);
    atomicMax(&ends[1], levels - 1 - level);
}

__global__ void stretch_kernel(const uint8_t* gray, uint8_t* out, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const int high = ends[0], low = levels - 1 - ends[1], range = high - low;
    const int level = min(max(gray[i] - low, 0), range);
    out[i] = range == 0 ? gray[i] : (2 * 255 * level + range) / (2 * range);
}

__global__ void reset_kernel() { ends[0] = ends[1] = 0; }

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height, blocks = ceil_div(pixels, levels);
    uint32_t* bins;
    cudaMalloc(&bins, levels * sizeof(uint32_t));
    cudaMemset(bins, 0, levels * sizeof(uint32_t));
    histogram_kernel<<<min(blocks, 1056), levels>>>(gray, bins, pixels);
    range_kernel<<<1, levels>>>(bins, pixels);
    stretch_kernel<<<blocks, levels>>>(gray, out, pixels);
    if (pixels < 1 << 22) reset_kernel<<<1, 1>>>();
    cudaFree(bins);
}
