// about: Lanes shuffle with lanes that have returned or never were, and do not use what they get.
// output out: zeroed i32[40] = i < 35 ? i + (i % 32 == 31 || i == 34 ? 0 : 1) : 0
// finding: none

#include "workbook.cuh"

__global__ void kernel(int* out, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    const int next = __shfl_down_sync(0xffffffffu, i, 1);
    out[i] = i % 32 < 31 && i + 1 < n ? next : i;
}

void run(int* out) { kernel<<<1, 40>>>(out, 35); }
