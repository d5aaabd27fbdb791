// about: And, or, xor of single bits.
// output out: u32[3] = {u32(-1 - 0x10001); 0x00010001 * 0xffff; 0x0000ffff}
// finding: none

#include "workbook.cuh"

__global__ void bits(unsigned* out) {
    const unsigned i = threadIdx.x;
    if (i == 0) out[0] = 0xffffffffu, out[1] = 0, out[2] = 0xffff0000u;
    __syncthreads();
    if (i == 0 || i == 16) atomicAnd(&out[0], ~(1u << i));
    atomicOr(&out[1], 1u << i);
    atomicXor(&out[2], 1u << i);
}

void run(unsigned* out) { bits<<<1, 32>>>(out); }
