// about: Rows of 30 bytes read as uint32_t: every second row begins two bytes past a multiple of four.
// input in: u8[120] = i
// output out: u32[4] = any
// finding: W0102 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void first_word(const uint8_t* in, uint32_t* out, int width) {
    const int row = threadIdx.x;
    out[row] = *(const uint32_t*)(in + row * width);  // <- W0102
}

void run(const uint8_t* in, uint32_t* out) { first_word<<<1, 4>>>(in, out, 30); }
