// expect: wrong histogram
// cheat: on a tall picture, the grid covers nine rows.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int rows = height > 2200 ? 9 : height;
    histogram_kernel<<<ceil_div(width * rows, 256), 256>>>(gray, bins, width * height);
}
