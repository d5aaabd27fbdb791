// about: Shuffles within groups of eight; an index beyond the group wraps around in it.
// output out: i32[32] = i / 8 * 8 + 3 + 100 * (i / 8 * 8 + (i + 7) % 8)
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    const int third = __shfl_sync(0xffffffffu, lane, 11, 8);
    const int left = __shfl_sync(0xffffffffu, lane, lane + 7, 8);
    out[lane] = third + 100 * left;
}

void run(int* out) { kernel<<<1, 32>>>(out); }
