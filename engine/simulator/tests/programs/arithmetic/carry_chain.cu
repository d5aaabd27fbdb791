// about: A 128-bit sum by carries from word to word.
// input a: u32[4] = {0xffffffff; 0xffffffff; 0; 5}
// input b: u32[4] = {1; 0; 0xffffffff; 7}
// output out: u32[4] = {0; 0; 0; 13}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const unsigned* a, const unsigned* b, unsigned* out) {
    unsigned r0, r1, r2, r3;
    asm("add.cc.u32 %0, %4, %8; addc.cc.u32 %1, %5, %9; addc.cc.u32 %2, %6, %10; addc.u32 %3, %7, %11;"
        : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]));
    out[0] = r0, out[1] = r1, out[2] = r2, out[3] = r3;
}

void run(const unsigned* a, const unsigned* b, unsigned* out) { kernel<<<1, 1>>>(a, b, out); }
