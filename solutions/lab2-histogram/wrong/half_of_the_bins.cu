// expect: mismatch histogram
// tasks: histogram
// cause: levels_missing
// fault: 128 threads add one counter each: those of the levels from 128 on stay where they are.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[256];
    for (int k = threadIdx.x; k < 256; k += blockDim.x) counts[k] = 0;
    __syncthreads();  // every counter is zero before the first pixel is counted
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();  // every pixel of the block is counted before a counter is read
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 128), 128>>>(gray, bins, pixels);
}
