// about: Each thread counts into an array of its own; the arrays are added at the end.
// input in: u8[256] = i * 7 % 8
// output bins: zeroed u32[8] = 32
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void count(const uint8_t* in, uint32_t* bins) {
    uint32_t own[8] = {};
    for (int i = threadIdx.x; i < 256; i += 32) own[in[i]]++;
    for (int b = 0; b < 8; ++b) atomicAdd(&bins[b], own[b]);
}

void run(const uint8_t* in, uint32_t* bins) { count<<<1, 32>>>(in, bins); }
