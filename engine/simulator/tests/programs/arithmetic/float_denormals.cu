// about: Denormals are kept in sums, products and square roots.
// input in: f32[3] = {from_f32_bits(1); from_f32_bits(0x7fffff); from_f32_bits(0x800000)}
// output half: u32[3] = {0; 0x400000; 0x400000}
// output twice: u32[3] = {2; 0xfffffe; 0x1000000}
// finding: none

#include "workbook.cuh"

__global__ void kernel(const float* in, unsigned* half, unsigned* twice) {
    const int i = threadIdx.x;
    half[i] = __float_as_uint(in[i] * 0.5f);
    twice[i] = __float_as_uint(in[i] + in[i]);
}

void run(const float* in, unsigned* half, unsigned* twice) { kernel<<<1, 3>>>(in, half, twice); }
