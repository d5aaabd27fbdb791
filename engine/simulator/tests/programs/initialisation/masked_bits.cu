// about: A word of which one byte is written and only that byte is used.
// output out: u32[32] = i
// finding: none

#include "workbook.cuh"

__global__ void kernel(unsigned* out) {
    __shared__ __align__(4) uint8_t bytes[128];
    bytes[4 * threadIdx.x] = threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = *(const unsigned*)&bytes[4 * threadIdx.x] & 0xff;
}

void run(unsigned* out) { kernel<<<1, 32>>>(out); }
