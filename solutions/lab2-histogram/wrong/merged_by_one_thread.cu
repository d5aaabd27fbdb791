// expect: mismatch histogram
// fault: one thread adds its own counter to the result, and nobody adds the others.
#include "workbook.cuh"

constexpr int levels = 256;

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t local[levels];
    int tid = threadIdx.x;
    local[tid] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + tid;
    if (i < pixels) {
        atomicAdd(&local[gray[i]], 1u);
    }
    __syncthreads();
    if (tid == 0) atomicAdd(&bins[tid], local[tid]);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    constexpr int block_size = 256;
    histogram_kernel<<<ceil_div(pixels, block_size), block_size>>>(gray, bins, pixels);
}

__global__ void gray_histogram_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                      uint32_t* __restrict__ bins, int pixels) {
    __shared__ uint32_t local[levels];
    for (int v = threadIdx.x; v < levels; v += blockDim.x) local[v] = 0;
    __syncthreads();
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += step) {
        const uint8_t* p = rgb + 3 * i;
        int level = (30 * p[0] + 59 * p[1] + 11 * p[2] + 50) / 100;
        gray[i] = level;
        atomicAdd(&local[level], 1u);
    }
    __syncthreads();
    for (int v = threadIdx.x; v < levels; v += blockDim.x) atomicAdd(&bins[v], local[v]);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    gray_histogram_kernel<<<528, 256>>>(rgb, gray, bins, pixels);
}
