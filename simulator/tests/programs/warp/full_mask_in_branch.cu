// pending: lanes in the two arms now meet by their mask, so that the full mask is taken for legal
// about: A full mask in a loop that half of the warp has left, and waits behind: the shuffle never completes.
// output out: i32[32] = any
// finding: W0404 error
// gpu: skip it hangs

#include "workbook.cuh"

__global__ void kernel(int* out) {
    const int lane = threadIdx.x;
    if (lane < 16) {
        out[lane] = __shfl_xor_sync(0xffffffffu, lane, 1);  // <- W0404
    } else {
        out[lane] = __shfl_xor_sync(0xffffffffu, lane, 2);  // <- W0404
    }
}

void run(int* out) { kernel<<<1, 32>>>(out); }
