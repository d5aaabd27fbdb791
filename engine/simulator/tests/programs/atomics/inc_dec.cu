// about: Counters that wrap: inc to 0 after the limit, dec to the limit after 0.
// output out: zeroed u32[2] = {64 % 11; 5 - (64 - 1) % 6}
// finding: none

#include "workbook.cuh"

__global__ void count(unsigned* out) {
    atomicInc(&out[0], 10u);
    atomicDec(&out[1], 5u);
}

void run(unsigned* out) { count<<<2, 32>>>(out); }
