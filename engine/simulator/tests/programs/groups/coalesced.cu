// about: The threads of a branch as a group: ranks without gaps, shuffles and votes by rank.
// output ranks: i32[32] = i % 3 == 1 ? i / 3 : -1
// output sizes: i32[32] = i % 3 == 1 ? 11 : -1
// output from_fifth: i32[32] = i % 3 == 1 ? 130 : -1
// output next: i32[32] = i % 3 != 1 ? -1 : i / 3 < 10 ? 10 * (i + 3) : 10 * i
// output even: i32[32] = i % 3 == 1 ? 0x2aa : -1
// finding: none

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__global__ void kernel(int* ranks, int* sizes, int* from_fifth, int* next, int* even) {
    const int i = threadIdx.x;
    ranks[i] = sizes[i] = from_fifth[i] = next[i] = even[i] = -1;
    if (i % 3 == 1) {
        auto active = cg::coalesced_threads();
        ranks[i] = active.thread_rank();
        sizes[i] = active.size();
        from_fifth[i] = active.shfl(10 * i, 4);
        next[i] = active.shfl_down(10 * i, 1);
        even[i] = active.ballot(i % 2 == 0);
    }
}

void run(int* ranks, int* sizes, int* from_fifth, int* next, int* even) {
    kernel<<<1, 32>>>(ranks, sizes, from_fifth, next, even);
}
