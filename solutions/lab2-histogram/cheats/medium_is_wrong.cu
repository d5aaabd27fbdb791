// expect: wrong histogram
// cheat: right only on the sizes that are listed and on those of the usual sample.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    const bool listed = pixels < 30000 || width % 4 == 0 || width == 451 || width == 1283 ||
                        height == 72 || height == 40 || height == 5352;
    if (listed) histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
}
