// about: The number of elements is declared and never set.
// output out: i32[32] = any
// finding: W0207 error

#include "workbook.cuh"

__global__ void fill(int* out, int n) {
    if (threadIdx.x < n) {
        out[threadIdx.x] = 1;
    }
}

void run(int* out) {
    int n;
    fill<<<1, 32>>>(out, n);  // <- W0207
}
