// about: Other warps count into bins that the first has not zeroed yet.
// input in: u8[256] = i % 4
// output bins: zeroed u32[4] = any
// finding: race error
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void count(const uint8_t* in, uint32_t* bins) {
    __shared__ uint32_t own[4];
    if (threadIdx.x < 4) own[threadIdx.x] = 0;  // <- race
    atomicAdd(&own[in[threadIdx.x]], 1u);  // <- with race
    __syncthreads();
    if (threadIdx.x < 4) bins[threadIdx.x] = own[threadIdx.x];
}

void run(const uint8_t* in, uint32_t* bins) { count<<<1, 256>>>(in, bins); }
