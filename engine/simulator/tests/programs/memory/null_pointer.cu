// about: A kernel is given a null pointer and stores through it.
// output out: i32[32] = any
// finding: W0108 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void store(int* out, int* other) {
    other[threadIdx.x] = 1;  // <- W0108
    out[threadIdx.x] = 2;
}

void run(int* out) { store<<<1, 32>>>(out, nullptr); }
