// about: A histogram in global memory.
// input in: u8[1000] = i * i % 251
// output bins: zeroed u32[256] = sum(k, 0, 1000, in[k] == i)
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void count(const uint8_t* in, uint32_t* bins, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[in[i]], 1u);
}

void run(const uint8_t* in, uint32_t* bins) { count<<<4, 256>>>(in, bins, 1000); }
