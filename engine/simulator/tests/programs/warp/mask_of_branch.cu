// about: A mask that names just the lanes of the branch.
// output out: i32[32] = i < 12 ? sum(k, 0, 12, k) : 100
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    int result = 100;
    if (lane < 12) {
        result = 0;
        for (int k = 0; k < 12; ++k) result += __shfl_sync(0x00000fffu, lane, k);
    }
    out[lane] = result;
}

void run(int* out) { kernel<<<1, 32>>>(out); }
