// about: An assertion that holds costs nothing but time.
// output out: i32[32] = 1
// finding: none

#include "workbook.cuh"

#include <assert.h>

__global__ void kernel(int* out, int n) {
    assert(threadIdx.x < n);
    out[threadIdx.x] = 1;
}

void run(int* out) { kernel<<<1, 32>>>(out, 32); }
