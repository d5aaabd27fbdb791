// about: An int in shared memory at an odd byte.
// output out: i32[4] = any
// finding: W0102 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void store(int* out, int at) {
    __shared__ __align__(16) unsigned char bytes[64];
    for (int i = 0; i < 16; ++i) bytes[threadIdx.x * 16 + i] = i;
    out[threadIdx.x] = *(int*)(bytes + threadIdx.x * 16 + at);  // <- W0102
}

void run(int* out) { store<<<1, 4>>>(out, 1); }
