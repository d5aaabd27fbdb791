// about: Shared counters that nobody zeroes.
// input in: u8[64] = i % 4
// output bins: zeroed u32[4] = any
// finding: initialisation error

#include "workbook.cuh"

__global__ void count(const uint8_t* in, uint32_t* bins) {
    __shared__ uint32_t own[4];
    atomicAdd(&own[in[threadIdx.x]], 1u);  // <- initialisation
    __syncthreads();
    if (threadIdx.x < 4) bins[threadIdx.x] = own[threadIdx.x];
}

void run(const uint8_t* in, uint32_t* bins) { count<<<1, 64>>>(in, bins); }
