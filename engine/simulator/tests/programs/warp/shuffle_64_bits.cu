// about: Shuffles of 64-bit integers and doubles move both halves.
// output out: u64[32] = (31 - i) * 0x100000001 + (i ^ 1)
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void kernel(unsigned long long* out) {
    const int lane = threadIdx.x;
    const unsigned long long wide = lane * 0x100000001ull;
    const double other = __shfl_xor_sync(0xffffffffu, (double)lane, 1);
    out[lane] = __shfl_sync(0xffffffffu, wide, 31 - lane) + (unsigned long long)other;
}

void run(unsigned long long* out) { kernel<<<1, 32>>>(out); }
