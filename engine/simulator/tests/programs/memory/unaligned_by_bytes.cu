// about: A word at any address, put together from bytes, needs no alignment.
// input in: u8[64] = i * 3
// output out: u32[15] = (3 * (4 * i + 1)) + (3 * (4 * i + 2) << 8) + (3 * (4 * i + 3) << 16) + (3 * (4 * i + 4) << 24)
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void read(const uint8_t* in, uint32_t* out) {
    uint32_t word;
    memcpy(&word, in + 1 + 4 * threadIdx.x, 4);
    out[threadIdx.x] = word;
}

void run(const uint8_t* in, uint32_t* out) { read<<<1, 15>>>(in, out); }
