// about: One third, rounded to nearest, to zero, up and down; and a sum of 1 and a half unit.
// output third: u32[4] = {0x3eaaaaab; 0x3eaaaaaa; 0x3eaaaaab; 0x3eaaaaaa}
// output sum: u32[4] = {0x3f800000; 0x3f800000; 0x3f800001; 0x3f800000}
// output negative: u32[4] = {0xbf800000; 0xbf800000; 0xbf800000; 0xbf800001}
// finding: none

#include "workbook.cuh"

__global__ void kernel(unsigned* third, unsigned* sum, unsigned* negative, float one, float three, float tiny) {
    third[0] = __float_as_uint(__fdiv_rn(one, three)), third[1] = __float_as_uint(__fdiv_rz(one, three));
    third[2] = __float_as_uint(__fdiv_ru(one, three)), third[3] = __float_as_uint(__fdiv_rd(one, three));
    sum[0] = __float_as_uint(__fadd_rn(one, tiny)), sum[1] = __float_as_uint(__fadd_rz(one, tiny));
    sum[2] = __float_as_uint(__fadd_ru(one, tiny)), sum[3] = __float_as_uint(__fadd_rd(one, tiny));
    negative[0] = __float_as_uint(__fadd_rn(-one, -tiny)), negative[1] = __float_as_uint(__fadd_rz(-one, -tiny));
    negative[2] = __float_as_uint(__fadd_ru(-one, -tiny)), negative[3] = __float_as_uint(__fadd_rd(-one, -tiny));
}

void run(unsigned* third, unsigned* sum, unsigned* negative) {
    kernel<<<1, 1>>>(third, sum, negative, 1.0f, 3.0f, 0x1p-24f);
}
