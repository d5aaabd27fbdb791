// expect: finding launch
// tasks: histogram
// fault: a row of the grid for each row of the picture: a grid has at most 65,535 rows.
#include "workbook.cuh"

__global__ void count(const uint8_t* gray, uint32_t* bins, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < width) atomicAdd(&bins[gray[size_t(blockIdx.y) * width + x]], 1u);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    count<<<dim3(ceil_div(width, 128), height), 128>>>(gray, bins, width);  // <- here
}
