// about: A kernel that stops itself.
// output out: i32[1] = any
// finding: W0505 error

#include "workbook.cuh"

__global__ void kernel(int* out, int n) {
    if (n < 0) __trap();  // <- W0505
    *out = n;
}

void run(int* out) { kernel<<<1, 1>>>(out, -1); }
