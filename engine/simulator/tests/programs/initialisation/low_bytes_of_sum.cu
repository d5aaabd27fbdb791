// about: Of a sum only the byte is stored that does not depend on what was never set.
// output out: u8[32] = i + 1
// finding: none

#include "workbook.cuh"

__global__ void kernel(uint8_t* out) {
    __shared__ unsigned tile[32];
    const int i = threadIdx.x;
    reinterpret_cast<unsigned char*>(tile)[4 * i] = i;
    __syncthreads();
    out[i] = static_cast<uint8_t>(tile[i] + 1);
}

void run(uint8_t* out) { kernel<<<1, 32>>>(out); }
