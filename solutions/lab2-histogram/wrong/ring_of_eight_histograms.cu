// expect: mismatch histogram
// tasks: histogram
// engine: simulator
// fault: each call counts in the next of eight histograms, and none is set to zero when it comes
// round again.
#include "workbook.cuh"

constexpr int slots = 8;
__device__ uint32_t ring[slots][256];

__global__ void histogram_kernel(const uint8_t* gray, int slot, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&ring[slot][gray[i]], 1u);
}

__global__ void copy_kernel(uint32_t* bins, int slot) {
    bins[threadIdx.x] = ring[slot][threadIdx.x];
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    static int next = 0;
    const int pixels = width * height;
    const int slot = next++ % slots;
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, slot, pixels);
    copy_kernel<<<1, 256>>>(bins, slot);
}
