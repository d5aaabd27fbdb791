// about: Two different shuffles of one tile in the two branches: the lanes wait for each other for ever.
// output out: i32[32] = any
// finding: W0404 error
// gpu: skip it may hang
// sanitizer: synccheck

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__global__ void kernel(int* out) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int i = threadIdx.x;
    if (i < 16) {
        out[i] = warp.shfl_down(i, 1);  // <- W0404
    } else {
        out[i] = warp.shfl_up(i, 1);  // <- with W0404
    }
}

void run(int* out) { kernel<<<1, 32>>>(out); }
