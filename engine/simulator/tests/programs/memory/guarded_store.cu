// about: The same with a guard: the threads beyond the end do nothing.
// output out: i32[100] = i
// finding: none
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void fill(int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i;
}

void run(int* out) { fill<<<4, 32>>>(out, 100); }
