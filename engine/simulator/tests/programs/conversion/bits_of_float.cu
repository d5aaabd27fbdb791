// about: The bits of a float, taken and given back unchanged.
// input in: u32[4] = {0x3f800000; 0x80000000; 0x00000001; 0x7f7fffff}
// output negative: u32[4] = in[i] ^ 0x80000000
// finding: none

#include "workbook.cuh"

__global__ void kernel(const unsigned* in, unsigned* negative) {
    const int i = threadIdx.x;
    negative[i] = __float_as_uint(-__uint_as_float(in[i]));
}

void run(const unsigned* in, unsigned* negative) { kernel<<<1, 4>>>(in, negative); }
