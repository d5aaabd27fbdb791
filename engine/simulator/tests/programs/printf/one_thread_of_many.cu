// about: Only the guarded thread prints.
// output out: zeroed i32[1] = 0
// printed: block 2 thread 33
// finding: none

#include "workbook.cuh"

__global__ void kernel() {
    if (blockIdx.x == 2 && threadIdx.x == 33) printf("block %d thread %d\n", blockIdx.x, threadIdx.x);
}

void run(int* out) { kernel<<<4, 64>>>(); }
