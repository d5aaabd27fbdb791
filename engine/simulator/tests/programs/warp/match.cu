// about: Lanes that hold the same value find each other.
// output out: u32[32] = sum(k, 0, 32, (k % 5 == i % 5) << k)
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void match(unsigned* out) {
    const int lane = threadIdx.x;
    out[lane] = __match_any_sync(0xffffffffu, lane % 5);
}

void run(unsigned* out) { match<<<1, 32>>>(out); }
