// about: A dynamic index past the end of an array on the stack.
// output out: i32[8] = any
// finding: W0107 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void store(int* out, int n) {
    int stack[8];
    for (int k = 0; k < 8; ++k) stack[k] = k;
    int sum = 0;
    for (int k = 0; k < n; ++k) sum += stack[k * 1000];  // <- W0107
    out[threadIdx.x] = sum;
}

void run(int* out) { store<<<1, 8>>>(out, 100); }
