// about: The mask of a shuffle leaves out lanes that execute it.
// output out: i32[32] = any
// finding: W0405 error
// gpu: skip it may hang
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    out[lane] = __shfl_down_sync(0x0000ffffu, lane, 1);  // <- W0405
}

void run(int* out) { kernel<<<1, 32>>>(out); }
