// about: A GPU does not stop at a division by zero; what comes of it is nobody's promise, the rest goes on.
// input a: i32[4] = {5; 6; 7; 8}
// output out: i32[4] = any
// output after: i32[4] = 1
// finding: none

#include "workbook.cuh"

__global__ void kernel(const int* a, int* out, int* after, int zero) {
    out[threadIdx.x] = a[threadIdx.x] / zero;
    after[threadIdx.x] = 1;
}

void run(const int* a, int* out, int* after) { kernel<<<1, 4>>>(a, out, after, 0); }
