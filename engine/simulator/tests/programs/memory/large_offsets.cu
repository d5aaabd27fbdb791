// about: Indices beyond 2^31 bytes, computed in 64 bits, of a pointer that is moved back before use.
// output out: u8[16] = i + 1
// finding: none

#include "workbook.cuh"

__global__ void store(uint8_t* out, long long far) {
    uint8_t* moved = out + far;
    moved[(long long)threadIdx.x - far] = threadIdx.x + 1;
}

void run(uint8_t* out) { store<<<1, 16>>>(out, 5000000000ll); }
