// about: A full mask in both arms of a branch, before different operations: neither ever completes.
// output out: i32[32] = any
// finding: W0404 error
// gpu: skip it hangs

#include "workbook.cuh"

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    if (lane < 16) {
        out[lane] = __shfl_xor_sync(0xffffffffu, lane, 1);  // <- W0404
    } else {
        out[lane] = __shfl_down_sync(0xffffffffu, lane, 2);  // <- W0404
    }
}

void run(int* out) { kernel<<<1, 32>>>(out); }
