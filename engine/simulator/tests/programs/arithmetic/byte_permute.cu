// about: Bytes picked out of two words by a selector of nibbles.
// input selector: u32[5] = {0x3210; 0x7654; 0x0123; 0x5140; 0x0ba9}
// output out: u32[5] = {0x33221100; 0x77665544; 0x00112233; 0x55114400; 0x00000000}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const unsigned* selector, unsigned* out) {
    const int i = threadIdx.x;
    unsigned picked;
    // A selector's bit 3 repeats the sign of the byte; no byte here has one set.
    asm("prmt.b32 %0, %1, %2, %3;"
        : "=r"(picked)
        : "r"(0x33221100u), "r"(0x77665544u), "r"(selector[i]));
    out[i] = picked;
}

void run(const unsigned* selector, unsigned* out) { kernel<<<1, 5>>>(selector, out); }
