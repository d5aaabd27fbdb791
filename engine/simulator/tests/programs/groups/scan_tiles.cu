// about: Inclusive and exclusive scans of a tile and of a coalesced group.
// output all: i32[32] = i * (i + 1) / 2
// output before: i32[32] = i % 8
// output odd: i32[16] = i + 1
// finding: none

#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__global__ void kernel(int* all, int* before, int* odd) {
    const auto block = cg::this_thread_block();
    const int i = threadIdx.x;
    all[i] = cg::inclusive_scan(cg::tiled_partition<32>(block), i);
    before[i] = cg::exclusive_scan(cg::tiled_partition<8>(block), 1, cg::plus<int>());
    if (i % 2 == 1) {
        const auto some = cg::coalesced_threads();
        odd[some.thread_rank()] = cg::inclusive_scan(some, 1);
    }
}

void run(int* all, int* before, int* odd) { kernel<<<1, 32>>>(all, before, odd); }
