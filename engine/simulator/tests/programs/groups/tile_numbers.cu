// about: Tiles cut from the block and tiles cut from a tile: rank, number of the tile, how many there are.
// output of_block: u32[64] = i % 16 + 100 * (i / 16) + 10000 * 4 + 1000000 * 16
// output of_tile: u32[64] = i % 4 + 100 * (i % 16 / 4) + 10000 * 4 + 1000000 * 4
// output alone: u32[64] = 100 * i + 10000 * 64 + 1000000
// finding: none

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

template <class Tile>
__device__ unsigned numbers(const Tile& tile) {
    return tile.thread_rank() + 100 * tile.meta_group_rank() + 10000 * tile.meta_group_size() + 1000000 * tile.size();
}

__global__ void kernel(unsigned* of_block, unsigned* of_tile, unsigned* alone) {
    auto block = cg::this_thread_block();
    auto sixteen = cg::tiled_partition<16>(block);
    cg::thread_block_tile<4> four = cg::tiled_partition<4>(sixteen);
    const unsigned i = block.thread_rank();
    of_block[i] = numbers(sixteen);
    of_tile[i] = numbers(four);
    alone[i] = numbers(cg::tiled_partition<1>(block));
}

void run(unsigned* of_block, unsigned* of_tile, unsigned* alone) { kernel<<<1, 64>>>(of_block, of_tile, alone); }
