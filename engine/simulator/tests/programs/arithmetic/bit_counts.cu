// about: Set bits, leading zeros, the first set bit, reversal.
// input in: u32[4] = {0; 1; 0x80000000; 0x00f0c000}
// output popc: i32[4] = {0; 1; 1; 6}
// output clz: i32[4] = {32; 31; 0; 8}
// output ffs: i32[4] = {0; 1; 32; 15}
// output brev: u32[4] = {0; 0x80000000; 1; 0x00030f00}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const unsigned* in, int* popc, int* clz, int* ffs, unsigned* brev) {
    const int i = threadIdx.x;
    popc[i] = __popc(in[i]);
    clz[i] = __clz(in[i]);
    ffs[i] = __ffs(in[i]);
    brev[i] = __brev(in[i]);
}

void run(const unsigned* in, int* popc, int* clz, int* ffs, unsigned* brev) {
    kernel<<<1, 4>>>(in, popc, clz, ffs, brev);
}
