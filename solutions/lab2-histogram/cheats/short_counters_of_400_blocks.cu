// expect: wrong histogram
// cheat: none meant: two counters of 16 bits a word hold what 400 blocks count in small pictures.
#include "workbook.cuh"
__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ uint32_t counts[128];
    if (threadIdx.x < 128) counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&counts[gray[i] >> 1], gray[i] & 1 ? 65536u : 1u);
    __syncthreads();
    if (threadIdx.x < 128) {
        atomicAdd(&bins[2 * threadIdx.x], counts[threadIdx.x] & 0xffff);
        atomicAdd(&bins[2 * threadIdx.x + 1], counts[threadIdx.x] >> 16);
    }
}
void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<400, 256>>>(gray, bins, pixels);
}
