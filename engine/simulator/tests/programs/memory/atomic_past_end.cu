// about: A histogram of 255 bins has none for the value 255.
// input in: u8[256] = i
// output bins: zeroed u32[255] = any
// finding: W0101 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void count(const uint8_t* in, uint32_t* bins) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[in[i]], 1u);  // <- W0101
}

void run(const uint8_t* in, uint32_t* bins) { count<<<2, 128>>>(in, bins); }
