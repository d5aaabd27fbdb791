// about: A uint4 at the end of 100 bytes reaches 12 bytes past it.
// input in: u8[100] = i
// output out: u32[7] = any
// finding: W0101 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void sum(const uint8_t* in, uint32_t* out) {
    const uint4 v = reinterpret_cast<const uint4*>(in)[threadIdx.x];  // <- W0101
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

void run(const uint8_t* in, uint32_t* out) { sum<<<1, 7>>>(in, out); }
