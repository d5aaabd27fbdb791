// about: A negative index into shared memory.
// output out: i32[32] = any
// finding: W0106 error
// sanitizer: memcheck

#include "workbook.cuh"

__global__ void left(int* out, int by) {
    __shared__ int tile[32];
    tile[threadIdx.x] = threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = tile[(int)threadIdx.x - by];  // <- W0106
}

void run(int* out) { left<<<1, 32>>>(out, 1); }
