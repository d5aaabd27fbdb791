// about: A four-byte load at an odd address.
// input in: u8[64] = i
// output out: i32[8] = any
// finding: W0102 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void read(const uint8_t* in, int* out) {
    const int* words = (const int*)(in + 1);
    out[threadIdx.x] = words[threadIdx.x];  // <- W0102
}

void run(const uint8_t* in, int* out) { read<<<1, 8>>>(in, out); }
