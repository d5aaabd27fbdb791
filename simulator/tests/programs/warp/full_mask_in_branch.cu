// about: A full mask in a branch that only half of the warp takes: the others never come.
// output out: i32[32] = any
// finding: barrier error
// gpu: skip it hangs

#include "workbook.cuh"

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    if (lane >= 16) return;
    __syncwarp(0x0000ffffu);
    if (lane < 8) {
        out[lane] = __shfl_xor_sync(0x0000ffffu, lane, 1);  // <- barrier
    } else {
        while (atomicAdd(out + 31, 0) != 12345) {
        }
    }
}

void run(int* out) { kernel<<<1, 32>>>(out); }
