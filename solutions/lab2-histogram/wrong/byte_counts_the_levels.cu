// expect: finding launch
// tasks: histogram
// engine: simulator
// fault: a byte is always below 256.
#include "workbook.cuh"
__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (uint8_t v = 0; v < 256; ++v)  // <- here
        if (i < pixels && gray[i] == v) atomicAdd(&bins[v], 1u);
}
void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
}
