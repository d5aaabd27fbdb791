// expect: finding race
// tasks: histogram
// engine: simulator
// fault: lane 0 of a warp stores a place, and the others read it without a `__syncwarp()`.
#include "workbook.cuh"

__device__ unsigned cursor;

// Each warp takes the next 32 pixels.
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ volatile unsigned place[8];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0) place[warp] = atomicAdd(&cursor, 32u);
    const unsigned i = place[warp] + lane;  // <- here
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}

__global__ void reset_kernel() { cursor = 0; }

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    reset_kernel<<<1, 1>>>();
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
}
