// about: All lanes of a warp store the same value with one instruction: defined, and a note at the most.
// output out: i32[1] = 7
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void store(int* out) {
    __shared__ int flag;
    flag = 7;
    __syncwarp();
    if (threadIdx.x == 0) *out = flag;
}

void run(int* out) { store<<<1, 32>>>(out); }
