// about: Whole tiles are moved through shared memory, unwritten corners and all; only written ones are used.
// output out: i32[32] = i % 2 ? -1 : i
// finding: none

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int a[32], b[32];
    const int i = threadIdx.x;
    if (i % 2 == 0) a[i] = i;
    __syncwarp();
    b[31 - i] = a[i];
    __syncwarp();
    out[i] = i % 2 ? -1 : b[31 - i];
}

void run(int* out) { kernel<<<1, 32>>>(out); }
