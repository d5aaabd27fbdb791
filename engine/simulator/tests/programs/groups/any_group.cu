// about: One function for every group: a tree in shared memory that waits for just its group.
// input in: i32[128] = i * 3 % 19
// output of_block: i32[1] = sum(k, 0, 128, in[k])
// output of_tiles: i32[8] = sum(k, 0, 16, in[16 * i + k])
// finding: none
// sanitizer: racecheck

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__device__ int sum(cg::thread_group group, int* shared, int value) {
    const int rank = group.thread_rank();
    for (int half = group.size() / 2; half > 0; half /= 2) {
        shared[rank] = value;
        group.sync();  // all values of this round are there
        if (rank < half) value += shared[rank + half];
        cg::sync(group);  // nobody reads them any more
    }
    return value;
}

__global__ void kernel(const int* in, int* of_block, int* of_tiles) {
    __shared__ int shared[128];
    cg::thread_block block = cg::this_thread_block();
    const int all = sum(block, shared, in[block.thread_rank()]);
    if (block.thread_rank() == 0) *of_block = all;
    cg::thread_group tile = cg::tiled_partition(block, 16);
    const int part = sum(tile, shared + block.thread_rank() / 16 * 16, in[block.thread_rank()]);
    if (tile.thread_rank() == 0) of_tiles[block.thread_rank() / 16] = part;
}

void run(const int* in, int* of_block, int* of_tiles) { kernel<<<1, 128>>>(in, of_block, of_tiles); }
