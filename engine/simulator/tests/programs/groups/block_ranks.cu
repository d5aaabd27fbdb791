// about: The block as a group: ranks, sizes and indices in two dimensions, and a barrier of all its threads.
// output ranks: u32[96] = i % 48
// output places: u32[96] = (i / 48) * 1000000 + 48 * 10000 + (i % 48 / 8) * 100 + i % 8
// output reversed: u32[96] = (i / 48) * 48 + 47 - i % 48
// finding: none
// sanitizer: racecheck

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__global__ void kernel(unsigned* ranks, unsigned* places, unsigned* reversed) {
    __shared__ unsigned shared[48];
    cg::thread_block block = cg::this_thread_block();
    const unsigned at = block.group_index().x * block.size() + block.thread_rank();
    ranks[at] = block.thread_rank();
    places[at] = block.group_index().x * 1000000 + block.num_threads() * 10000 + block.thread_index().y * 100 +
                 block.thread_index().x;
    shared[block.thread_rank()] = at;
    block.sync();  // all elements are there
    reversed[at] = shared[block.dim_threads().x * block.dim_threads().y - 1 - block.thread_rank()];
}

void run(unsigned* ranks, unsigned* places, unsigned* reversed) { kernel<<<2, dim3(8, 6)>>>(ranks, places, reversed); }
