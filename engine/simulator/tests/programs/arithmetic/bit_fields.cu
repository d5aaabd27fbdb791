// about: Extracting and inserting fields of bits, past the end of the word too.
// input in: u32[3] = {0x12345678; 0xf0000000; 0x000000ff}
// output extracted: u32[3] = {0x56; 0; 0xf}
// output signed_: i32[3] = {0x56; 0; 0xf}
// output top: i32[3] = {1; -1; 0}
// output inserted: u32[3] = {0x1234a578; 0xf000a500; 0x0000a5ff}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const unsigned* in, unsigned* extracted, int* signed_, int* top, unsigned* inserted) {
    const int i = threadIdx.x;
    const unsigned value = in[i], at = i == 2 ? 4 : 8, width = 8;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(extracted[i]) : "r"(value), "r"(at), "r"(width));
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(signed_[i]) : "r"(value), "r"(at), "r"(width));
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(top[i]) : "r"(value), "r"(28), "r"(10));
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(inserted[i]) : "r"(0xa5), "r"(value), "r"(8), "r"(8));
}

void run(const unsigned* in, unsigned* extracted, int* signed_, int* top, unsigned* inserted) {
    kernel<<<1, 3>>>(in, extracted, signed_, top, inserted);
}
