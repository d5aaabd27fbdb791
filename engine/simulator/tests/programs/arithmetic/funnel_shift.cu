// about: Funnel shifts take 32 bits out of 64; the plain one masks its count, the other clamps it.
// input by: u32[4] = {0; 8; 31; 40}
// output left: u32[4] = {0x01234567; 0x23456789; 0xc4d5e6f7; 0x23456789}
// output clamped: u32[4] = {0x01234567; 0x23456789; 0xc4d5e6f7; 0x89abcdef}
// output right: u32[4] = {0x89abcdef; 0x6789abcd; 0x02468acf; 0x6789abcd}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const unsigned* by, unsigned* left, unsigned* clamped, unsigned* right) {
    const int i = threadIdx.x;
    const unsigned low = 0x89abcdefu, high = 0x01234567u;
    left[i] = __funnelshift_l(low, high, by[i]);
    clamped[i] = __funnelshift_lc(low, high, by[i]);
    right[i] = __funnelshift_r(low, high, by[i]);
}

void run(const unsigned* by, unsigned* left, unsigned* clamped, unsigned* right) {
    kernel<<<1, 4>>>(by, left, clamped, right);
}
