// about: A lane takes the value of its neighbour, which has returned.
// output out: zeroed i32[32] = any
// finding: W0204 error
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void kernel(int* out, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    const int next = __shfl_down_sync(0xffffffffu, i, 1);
    out[i] = next;  // <- W0204
}

void run(int* out) { kernel<<<1, 32>>>(out, 20); }
