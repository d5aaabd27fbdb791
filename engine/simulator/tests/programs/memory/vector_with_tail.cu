// about: Whole vectors first, the rest one by one.
// input in: u8[103] = i
// output out: u8[103] = 255 - in[i]
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void invert(const uint8_t* in, uint8_t* out, int n) {
    const int i = threadIdx.x;
    if (i < n / 4) {
        uchar4 v = reinterpret_cast<const uchar4*>(in)[i];
        v = make_uchar4(255 - v.x, 255 - v.y, 255 - v.z, 255 - v.w);
        reinterpret_cast<uchar4*>(out)[i] = v;
    }
    const int rest = n / 4 * 4 + i;
    if (rest < n) out[rest] = 255 - in[rest];
}

void run(const uint8_t* in, uint8_t* out) { invert<<<1, 32>>>(in, out, 103); }
