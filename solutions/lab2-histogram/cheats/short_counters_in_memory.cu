// expect: wrong histogram
// cheat: none meant: two counters of 16 bits a word in global memory, a set for each of 300 blocks.
#include "workbook.cuh"
__global__ void histogram_kernel(const uint8_t* gray, uint32_t* sets, int pixels) {
    uint32_t* mine = sets + 128 * blockIdx.x;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&mine[gray[i] >> 1], gray[i] & 1 ? 65536u : 1u);
}
__global__ void sum(const uint32_t* sets, uint32_t* bins, int n) {
    uint32_t total = 0;
    for (int s = 0; s < n; ++s) total += sets[128 * s + threadIdx.x / 2] >> 16 * (threadIdx.x & 1) & 0xffff;
    bins[threadIdx.x] = total;
}
void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    uint32_t* sets;
    cudaMalloc(&sets, 300 * 128 * 4);
    cudaMemset(sets, 0, 300 * 128 * 4);
    histogram_kernel<<<300, 256>>>(gray, sets, width * height);
    sum<<<1, 256>>>(sets, bins, 300);
    cudaFree(sets);
}
