// about: All, any and ballot over predicates of the lanes.
// output out: u32[3] = {0; 1; 0x00000f00}
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void vote(unsigned* out) {
    const int lane = threadIdx.x;
    const bool some = lane >= 8 && lane < 12;
    const unsigned all = __all_sync(0xffffffffu, some) != 0, any = __any_sync(0xffffffffu, some) != 0;
    const unsigned ballot = __ballot_sync(0xffffffffu, some);
    if (lane == 0) out[0] = all, out[1] = any, out[2] = ballot;
}

void run(unsigned* out) { vote<<<1, 32>>>(out); }
