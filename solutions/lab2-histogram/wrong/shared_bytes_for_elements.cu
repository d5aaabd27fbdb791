// expect: finding memory
// tasks: histogram
// engine: simulator
// fault: the third launch parameter counts bytes, not counters.
#include "workbook.cuh"
__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    extern __shared__ uint32_t counts[];
    counts[threadIdx.x] = 0;  // <- here
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<ceil_div(pixels, 256), 256, 256>>>(gray, bins, pixels);
}
