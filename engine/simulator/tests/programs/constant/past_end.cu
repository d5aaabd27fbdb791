// about: An index past the end of constant memory.
// output out: i32[8] = any
// finding: W0101 error
// sanitizer: memcheck

#include "workbook.cuh"

__constant__ int table[4] = {1, 2, 3, 4};

__global__ void read(int* out, int far) {
    out[threadIdx.x] = table[threadIdx.x * far];  // <- W0101
}

void run(int* out) { read<<<1, 8>>>(out, 100000); }
