// expect: finding memory
// tasks: histogram
// engine: simulator
// fault: level 255 + 1 of the first array is the first flag of the second.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[255];
    __shared__ uint32_t seen[256];
    if (threadIdx.x < 255) counts[threadIdx.x] = 0;
    seen[threadIdx.x] = 0;
    __syncthreads();  // all is zero
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) {
        atomicAdd(&counts[gray[i]], 1u);  // <- here
        if (gray[i] > 0) seen[gray[i]] = 1;
    }
    __syncthreads();  // every pixel is counted
    if (threadIdx.x == 0 || seen[threadIdx.x]) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
}
