// expect: wrong histogram
// cheat: counts every second pixel twice, but where the first rows are known.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}

__global__ void guess_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < pixels) atomicAdd(&bins[gray[i]], i + 1 < pixels ? 2u : 1u);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    const bool known = width < 2000 || height == 72 || height == 40;
    if (known) histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
    else guess_kernel<<<ceil_div(pixels, 512), 256>>>(gray, bins, pixels);
}
