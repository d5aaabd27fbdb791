// expect: finding race
// tasks: histogram
// engine: simulator
// fault: each of two steps is atomic, and another block may add between them.
#include "workbook.cuh"

__global__ void k(const uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ unsigned c[256];
    c[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&c[gray[i]], 1u);
    __syncthreads();
    if (c[threadIdx.x])
        atomicExch(&bins[threadIdx.x], atomicAdd(&bins[threadIdx.x], 0u) + c[threadIdx.x]);
}
void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    k<<<min(ceil_div(width * height, 256), 300), 256>>>(gray, bins, width * height);
}
