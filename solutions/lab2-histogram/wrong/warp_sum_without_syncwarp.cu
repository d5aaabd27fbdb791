// expect: finding race
// tasks: histogram
// engine: simulator
// fault: the last steps of the sum rely on the threads of a warp running in step.
#include "workbook.cuh"

// One block a level: each thread counts its pixels, then the counts are added up.
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ volatile uint32_t sums[256 + 32];
    const int t = threadIdx.x;
    uint32_t count = 0;
    for (int i = t; i < pixels; i += 256) count += gray[i] == blockIdx.x;
    sums[t] = count;
    if (t < 32) sums[256 + t] = 0;
    __syncthreads();  // every count is there
    for (int step = 128; step > 32; step /= 2) {
        if (t < step) sums[t] = sums[t] + sums[t + step];
        __syncthreads();  // one step for all
    }
    if (t < 32) {
        sums[t] = sums[t] + sums[t + 32];
        sums[t] = sums[t] + sums[t + 16];  // <- here
        sums[t] = sums[t] + sums[t + 8];
        sums[t] = sums[t] + sums[t + 4];
        sums[t] = sums[t] + sums[t + 2];
        sums[t] = sums[t] + sums[t + 1];
    }
    if (t == 0) bins[blockIdx.x] = sums[0];
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<256, 256>>>(gray, bins, pixels);
}
