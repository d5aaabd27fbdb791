// expect: finding race
// tasks: histogram
// engine: simulator
// fault: the first warp moves the counts to the bins, as if the other warps had run before.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();  // every counter is zero
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&counts[gray[i]], 1u);
    if (threadIdx.x < 224) return;
    for (int level = threadIdx.x - 224; level < 256; level += 32)
        atomicAdd(&bins[level], atomicExch(&counts[level], 0u));  // <- here
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
}
