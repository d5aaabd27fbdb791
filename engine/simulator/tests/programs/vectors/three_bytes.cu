// about: Pixels of three bytes have no vector load: uchar3 is loaded byte by byte and may lie anywhere.
// input in: u8[96] = i * 7 % 256
// output out: u8[32] = (in[3 * i] + in[3 * i + 1] + in[3 * i + 2]) / 3
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void gray(const uchar3* in, uint8_t* out) {
    const uchar3 p = in[threadIdx.x];
    out[threadIdx.x] = (p.x + p.y + p.z) / 3;
}

void run(const uint8_t* in, uint8_t* out) { gray<<<1, 32>>>((const uchar3*)in, out); }
