// about: To half precision and back: 11 bits stay.
// input in: f32[5] = {1; 2049; 0.1; 65504; 1e6}
// output bits: u16[5] = {0x3c00; 0x6800; 0x2e66; 0x7bff; 0x7c00}
// output back: f32[5] = {1; 2048; 0.0999755859375; 65504; inf}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const float* in, unsigned short* bits, float* back) {
    const int i = threadIdx.x;
    unsigned short half;
    float single;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(in[i]));
    asm("cvt.f32.f16 %0, %1;" : "=f"(single) : "h"(half));
    bits[i] = half;
    back[i] = single;
}

void run(const float* in, unsigned short* bits, float* back) { kernel<<<1, 5>>>(in, bits, back); }
