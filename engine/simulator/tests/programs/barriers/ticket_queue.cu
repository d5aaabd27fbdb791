// about: Blocks take tiles from a queue until none is left; the loop ends in a branch that divides a warp.
// output queue: zeroed u32[1] = 7
// output out: zeroed i32[150] = 3 * i
// finding: none
// sanitizer: synccheck

#include "workbook.cuh"

__global__ void kernel(unsigned* queue, int* out, int n, unsigned tiles) {
    __shared__ unsigned ticket;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) ticket = atomicAdd(queue, 1u);
        __syncthreads();
        if (ticket >= tiles) break;
        const int i = ticket * 32 + threadIdx.x;
        if (i < n) out[i] = 3 * i;
    }
}

void run(unsigned* queue, int* out) { kernel<<<2, 32>>>(queue, out, 150, 5); }
