// about: A byte offset that overflows 32 bits is negative: multiply in size_t.
// output out: u8[16] = any
// finding: W0101 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void store(uint8_t* out, unsigned rows, unsigned width) {
    // 65537 * 65536 is 65536 modulo 2^32.
    out[(int)(rows * width) + threadIdx.x] = 1;  // <- W0101
}

void run(uint8_t* out) { store<<<1, 16>>>(out, 65537, 65536); }
