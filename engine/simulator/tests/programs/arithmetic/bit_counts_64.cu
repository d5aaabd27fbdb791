// about: The same of 64 bits.
// input in: u64[3] = {0; 0x8000000000000001; 0x0000010000000000}
// output out: u32[9] = {0; 64; 0; 2; 0; 1; 1; 23; 41}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const unsigned long long* in, unsigned* out) {
    const int i = threadIdx.x;
    out[3 * i] = __popcll(in[i]);
    out[3 * i + 1] = __clzll(in[i]);
    out[3 * i + 2] = __ffsll(in[i]);
}

void run(const unsigned long long* in, unsigned* out) { kernel<<<1, 3>>>(in, out); }
