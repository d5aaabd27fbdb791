// about: A kernel stores to constant memory through a pointer that has lost its const.
// output out: i32[4] = any
// finding: W0104 error
// sanitizer: memcheck

#include "workbook.cuh"

__constant__ int table[4] = {1, 2, 3, 4};

__global__ void store(int* out, int which) {
    int* target = which ? const_cast<int*>(table) : out;
    target[threadIdx.x] = 5;  // <- W0104
}

void run(int* out) { store<<<1, 4>>>(out, 1); }
