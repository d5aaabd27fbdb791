// about: An index past the end of a __device__ array.
// output out: i32[17] = any
// finding: W0101 error
// sanitizer: memcheck

#include "workbook.cuh"

__device__ int table[16];

__global__ void read(int* out) {
    out[threadIdx.x] = table[threadIdx.x];  // <- W0101
}

void run(int* out) { read<<<1, 17>>>(out); }
