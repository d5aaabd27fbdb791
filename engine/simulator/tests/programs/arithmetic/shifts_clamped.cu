// about: Shifts by 32 and more in PTX: zero, or all sign bits; none is masked as on a CPU.
// input by: u32[5] = {0; 1; 31; 32; 200}
// output left: u32[5] = {0x80000001; 2; 0x80000000; 0; 0}
// output right: u32[5] = {0x80000001; 0x40000000; 1; 0; 0}
// output arithmetic: u32[5] = {0x80000001; 0xc0000000; 0xffffffff; 0xffffffff; 0xffffffff}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const unsigned* by, unsigned* left, unsigned* right, unsigned* arithmetic) {
    const int i = threadIdx.x;
    const unsigned value = 0x80000001u;
    unsigned shifted;
    asm("shl.b32 %0, %1, %2;" : "=r"(shifted) : "r"(value), "r"(by[i]));
    left[i] = shifted;
    asm("shr.u32 %0, %1, %2;" : "=r"(shifted) : "r"(value), "r"(by[i]));
    right[i] = shifted;
    asm("shr.s32 %0, %1, %2;" : "=r"(shifted) : "r"(value), "r"(by[i]));
    arithmetic[i] = shifted;
}

void run(const unsigned* by, unsigned* left, unsigned* right, unsigned* arithmetic) {
    kernel<<<1, 5>>>(by, left, right, arithmetic);
}
