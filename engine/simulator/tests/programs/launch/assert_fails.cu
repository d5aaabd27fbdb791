// about: An assertion that one thread breaks.
// output out: i32[32] = any
// finding: W0505 error

#include "workbook.cuh"

#include <assert.h>

__global__ void kernel(int* out, int n) {
    assert(threadIdx.x < n);  // <- W0505
    out[threadIdx.x] = 1;
}

void run(int* out) { kernel<<<1, 32>>>(out, 20); }
