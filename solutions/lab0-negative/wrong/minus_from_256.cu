// expect: mismatch negative
// cause: minus_from_256
// fault: every level is taken from 256.
#include "workbook.cuh"

constexpr int block_size = 256;

__global__ void negative_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                                int width, int height) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width * height) return;
    out[i] = 256 - gray[i];
}

void negative(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int blocks = ceil_div(width * height, block_size);
    negative_kernel<<<blocks, block_size>>>(gray, out, width, height);
}
