// about: A 64-bit insert counts position and length in full, the 32-bit one modulo 256; outputs as an H200 gives them.
// input pos: u32[16] = {0x0; 0x8; 0x21; 0x3f; 0x3f; 0x40; 0x8; 0x1; 0x0; 0x0; 0x8; 0x100; 0x0; 0x80000000;
//   0x0; 0x12c}
// input len: u32[16] = {0x0; 0x8; 0x1f; 0x1; 0x40; 0x8; 0x40; 0x7f; 0xff; 0x100; 0x101; 0x8; 0x80000008;
//   0x8; 0xffffffff; 0x12c}
// output out: u64[16] = {0xfedcba9876543210; 0xfedcba987654ef10; 0x13579bde76543210; 0xfedcba9876543210;
//   0xfedcba9876543210; 0xfedcba9876543210; 0x23456789abcdef10; 0x02468acf13579bde; 0x0123456789abcdef;
//   0x0123456789abcdef; 0x23456789abcdef10; 0xfedcba9876543210; 0x0123456789abcdef; 0xfedcba9876543210;
//   0x0123456789abcdef; 0xfedcba9876543210}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const unsigned* pos, const unsigned* len, unsigned long long* out) {
    const int i = threadIdx.x;
    const unsigned long long from = 0x0123456789abcdefull, into = 0xfedcba9876543210ull;
    asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(out[i]) : "l"(from), "l"(into), "r"(pos[i]), "r"(len[i]));
}

void run(const unsigned* pos, const unsigned* len, unsigned long long* out) { kernel<<<1, 16>>>(pos, len, out); }
