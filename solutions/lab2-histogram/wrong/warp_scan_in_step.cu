// expect: finding race
// tasks: histogram
// engine: simulator
// fault: lanes pass their counts on through shared memory without a `__syncwarp()`.
#include "workbook.cuh"

// A warp a level; lane 31 ends up with the sum of all lanes.
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ volatile uint32_t sums[8][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int level = 8 * blockIdx.x + warp;
    uint32_t sum = 0;
    for (int i = lane; i < pixels; i += 32) sum += gray[i] == level;
    for (int step = 1; step < 32; step *= 2) {
        sums[warp][lane] = sum;
        if (lane >= step) sum += sums[warp][lane - step];  // <- here
    }
    if (lane == 31) bins[level] = sum;
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<32, 256>>>(gray, bins, pixels);
}
