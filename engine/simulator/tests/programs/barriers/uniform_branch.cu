// about: A barrier in a branch that whole blocks take or leave is fine.
// output out: i32[128] = i < 64 ? 63 - i : 7
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    __shared__ int tile[64];
    const int i = threadIdx.x;
    if (blockIdx.x == 0) {
        tile[i] = i;
        __syncthreads();
        out[i] = tile[63 - i];
    } else {
        out[64 + i] = 7;
    }
}

void run(int* out) { kernel<<<2, 64>>>(out); }
