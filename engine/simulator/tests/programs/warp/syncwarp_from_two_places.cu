// about: The halves of a warp meet at __syncwarp calls in different lines, which is legal since Volta.
// output out: i32[32] = i < 16 ? 200 + i + 16 : 100 + i - 16
// finding: none
// sanitizer: racecheck

#include "workbook.cuh"

__global__ void exchange(int* out) {
    __shared__ int box[32];
    const int lane = threadIdx.x;
    if (lane < 16) {
        box[lane] = 100 + lane;
        __syncwarp();
        out[lane] = box[lane + 16];
    } else {
        box[lane] = 200 + lane;
        __syncwarp();
        out[lane] = box[lane - 16];
    }
}

void run(int* out) { exchange<<<1, 32>>>(out); }
