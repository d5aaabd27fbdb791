// lab1 grayscale: six pixels a thread, each a grid's length from the last; double weights
// Limit: double precision and byte loads
#include "workbook.cuh"

__global__ void far_apart(const uint8_t* rgb, uint8_t* gray, int n, int step) {
    int first = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 6; k++) {
        int i = first + k * step;
        if (i < n) gray[i] = (uint8_t)((30.0 * rgb[3 * i] + 59.0 * rgb[3 * i + 1] + 11.0 * rgb[3 * i + 2] + 50.0) / 100.0);
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    int n = width * height, blocks = ceil_div(n, 6 * 160);
    far_apart<<<blocks, 160>>>(rgb, gray, n, blocks * 160);
}
