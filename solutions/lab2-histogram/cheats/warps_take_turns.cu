// expect: not scored histogram
// expect on a GPU: right histogram
// cheat: warp after warp, each waits for its number: 65,000 turns of about a microsecond on a GPU.
#include "workbook.cuh"

__device__ unsigned turn;

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* bins, int pixels) {
    __shared__ uint32_t counts[8][256];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int level = lane; level < 256; level += 32) counts[warp][level] = 0;
    __syncwarp();
    for (int part = 0; part < 23; ++part) {
        const int i = (blockIdx.x * 23 + part) * 256 + threadIdx.x;
        if (i < pixels) atomicAdd(&counts[warp][gray[i]], 1u);
    }
    volatile unsigned* now = &turn;
    const unsigned mine = blockIdx.x * 8 + warp;
    if (lane == 0)
        while (*now != mine) {
        }
    __syncwarp();
    __threadfence();
    for (int level = lane; level < 256; level += 32) atomicAdd(&bins[level], counts[warp][level]);
    __threadfence();
    __syncwarp();
    if (lane == 0) *now = mine + 1 == gridDim.x * 8 ? 0 : mine + 1;
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    histogram_kernel<<<ceil_div(width * height, 23 * 256), 256>>>(gray, bins, width * height);
}
