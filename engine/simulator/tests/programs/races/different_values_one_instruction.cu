// about: Lanes of a warp store different values to one element with one instruction: which one stays is open.
// output out: i32[1] = any
// finding: race error
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void store(int* out) {
    __shared__ int flag;
    flag = threadIdx.x;  // <- race
    __syncwarp();
    if (threadIdx.x == 0) *out = flag;
}

void run(int* out) { store<<<1, 32>>>(out); }
