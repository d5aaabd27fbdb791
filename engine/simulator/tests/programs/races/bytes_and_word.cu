// about: A word read while another warp stores one of its bytes; here it comes first.
// output out: u32[64] = any
// finding: race error
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void kernel(unsigned* out) {
    __shared__ __align__(4) uint8_t bytes[256];
    const int i = threadIdx.x;
    for (int k = 0; k < 4; ++k) bytes[k * 64 + i] = i;  // <- race
    out[i] = *(unsigned*)&bytes[i * 4];  // <- with race
}

void run(unsigned* out) { kernel<<<1, 64>>>(out); }
