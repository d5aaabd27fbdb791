// about: Up and down at the ends of a group of sixteen give a lane its own value.
// output out: i32[32] = (i % 16 < 3 ? i : i - 3) + 100 * (i % 16 > 10 ? i : i + 5)
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    const int up = __shfl_up_sync(0xffffffffu, lane, 3, 16);
    const int down = __shfl_down_sync(0xffffffffu, lane, 5, 16);
    out[lane] = up + 100 * down;
}

void run(int* out) { kernel<<<1, 32>>>(out); }
