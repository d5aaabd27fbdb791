// about: Pixels of four bytes: each channel halved, alpha kept.
// input in: u8[128] = noise 5
// output out: u8[128] = i % 4 == 3 ? in[i] : in[i] / 2
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void darken(const uchar4* in, uchar4* out) {
    uchar4 p = in[threadIdx.x];
    p.x /= 2, p.y /= 2, p.z /= 2;
    out[threadIdx.x] = p;
}

void run(const uint8_t* in, uint8_t* out) { darken<<<1, 32>>>((const uchar4*)in, (uchar4*)out); }
