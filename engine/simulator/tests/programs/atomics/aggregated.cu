// about: One lane adds for all that took the branch, found by match and popc.
// input in: u8[64] = i % 3
// output bins: zeroed u32[3] = {22; 21; 21}
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void count(const uint8_t* in, uint32_t* bins) {
    const unsigned value = in[threadIdx.x], lane = threadIdx.x % 32;
    const unsigned peers = __match_any_sync(0xffffffffu, value);
    if (lane == __ffs(peers) - 1) atomicAdd(&bins[value], __popc(peers));
}

void run(const uint8_t* in, uint32_t* bins) { count<<<1, 64>>>(in, bins); }
