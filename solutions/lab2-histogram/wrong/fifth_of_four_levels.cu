// expect: finding memory
// tasks: histogram
// engine: simulator
// fault: the loop that clears the four levels of a thread clears a fifth one, too.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    int level[4];
    for (int k = 0; k <= 4; ++k) {
        level[k] = -1;  // <- here
    }
    for (int k = 0; k < 4; ++k) {
        if (first + k < pixels) level[k] = gray[first + k];
    }
    for (int k = 0; k < 4; ++k) {
        if (level[k] >= 0) atomicAdd(&bins[level[k]], 1u);
    }
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 1024), 256>>>(gray, bins, pixels);
}
