// about: The last warp of the block has eight lanes, and adds what lanes that do not exist hold.
// output out: i32[40] = any
// finding: W0204 error
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    int sum = threadIdx.x;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
    out[threadIdx.x] = sum;  // <- W0204
}

void run(int* out) { kernel<<<1, 40>>>(out); }
