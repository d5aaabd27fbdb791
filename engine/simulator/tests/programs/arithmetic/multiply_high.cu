// about: The upper halves of products, and 24-bit multiplication.
// input a: u32[3] = {0xffffffff; 0x80000000; 123456789}
// output high: u32[3] = {a[0] * 3 >> 32; a[1] * 3 >> 32; a[2] * a[2] >> 32}
// output signed_high: i32[3] = {-1; -2; a[2] * a[2] >> 32}
// output low24: u32[3] = {u32(0xffffff * 3); 0; u32((123456789 & 0xffffff) * (123456789 & 0xffffff))}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const unsigned* a, unsigned* high, int* signed_high, unsigned* low24) {
    const int i = threadIdx.x;
    const unsigned b = i == 2 ? a[2] : 3;
    high[i] = __umulhi(a[i], b);
    signed_high[i] = __mulhi((int)a[i], (int)b);
    low24[i] = __umul24(a[i], b);
}

void run(const unsigned* a, unsigned* high, int* signed_high, unsigned* low24) {
    kernel<<<1, 3>>>(a, high, signed_high, low24);
}
