// about: Reductions in one instruction, from compute capability 8.0 on.
// output out: u32[5] = {496; 0; 31; 31; 0}
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void reduce(unsigned* out) {
    const unsigned lane = threadIdx.x, all = 0xffffffffu;
    const unsigned sum = __reduce_add_sync(all, lane), low = __reduce_min_sync(all, lane);
    const unsigned high = __reduce_max_sync(all, lane), any = __reduce_or_sync(all, lane);
    const unsigned both = __reduce_and_sync(all, lane);
    if (lane == 0) out[0] = sum, out[1] = low, out[2] = high, out[3] = any, out[4] = both;
}

void run(unsigned* out) { reduce<<<1, 32>>>(out); }
