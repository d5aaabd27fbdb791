// expect: finding race
// tasks: histogram
// engine: simulator
// fault: the host reads managed counters, and does not wait for the kernel that counts.
#include "workbook.cuh"

__managed__ unsigned int counts[256];

__global__ void count_kernel(const uint8_t* __restrict__ gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&counts[gray[i]], 1u);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    for (int level = 0; level < 256; ++level) counts[level] = 0;
    count_kernel<<<ceil_div(pixels, 256), 256>>>(gray, pixels);
    uint32_t copy[256];
    for (int level = 0; level < 256; ++level) copy[level] = counts[level];  // <- here
    WORKBOOK_CHECK(cudaMemcpy(bins, copy, sizeof(copy), cudaMemcpyHostToDevice));
}
