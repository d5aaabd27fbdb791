// expect: mismatch histogram
// tasks: histogram
// cause: last_pixels_left_out
// fault: four pixels per thread, and nobody counts the one to three pixels left over.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int quads) {
    const int quad = blockIdx.x * blockDim.x + threadIdx.x;
    if (quad >= quads) return;
    for (int i = 4 * quad; i < 4 * quad + 4; ++i) atomicAdd(&bins[gray[i]], 1u);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int quads = width * height / 4;
    histogram_kernel<<<ceil_div(quads + 1, 256), 256>>>(gray, bins, quads);
}
