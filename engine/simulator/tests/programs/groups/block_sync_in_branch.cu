// about: The barrier of the block, in a branch that half of a warp takes.
// output out: i32[32] = any
// finding: W0403 warning
// gpu: skip it may hang

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__global__ void kernel(int* out) {
    __shared__ int shared[32];
    cg::thread_block block = cg::this_thread_block();
    const int i = block.thread_rank();
    shared[i] = i;
    if (i < 16) {
        block.sync();  // <- W0403
        out[i] = shared[i];
    }
}

void run(int* out) { kernel<<<1, 32>>>(out); }
