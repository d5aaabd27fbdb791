// about: A histogram of each warp, so that warps do not meet; summed by the block.
// input in: u8[512] = i % 16
// output bins: zeroed u32[16] = 32
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void count(const uint8_t* in, uint32_t* bins) {
    __shared__ uint32_t own[4][16];
    const int t = threadIdx.x, warp = t / 32;
    if (t < 64) own[t / 16][t % 16] = 0;
    __syncthreads();
    for (int i = t; i < 512; i += 128) atomicAdd(&own[warp][in[i]], 1u);
    __syncthreads();
    if (t < 16) bins[t] = own[0][t] + own[1][t] + own[2][t] + own[3][t];
}

void run(const uint8_t* in, uint32_t* bins) { count<<<1, 128>>>(in, bins); }
