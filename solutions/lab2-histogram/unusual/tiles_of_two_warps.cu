// why: counters of two warps each, which wait for each other as a tile of 64 threads.
// tasks: histogram
// engine: simulator
#include <cooperative_groups.h>
#include <memory.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

constexpr int levels = 256;
constexpr int block_size = 256;

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ cg::block_tile_memory<block_size> memory;
    __shared__ uint32_t counts[block_size / 64][levels];
    const auto block = cg::this_thread_block(memory);
    const auto tile = cg::tiled_partition<64>(block);
    uint32_t* own = counts[tile.meta_group_rank()];
    for (int v = tile.thread_rank(); v < levels; v += tile.size()) own[v] = 0;
    tile.sync();
    for (int i = blockIdx.x * block_size + threadIdx.x; i < pixels; i += gridDim.x * block_size)
        atomicAdd(&own[gray[i]], 1u);
    block.sync();
    uint32_t sum = 0;
    for (const auto& of_tile : counts) sum += of_tile[threadIdx.x];
    if (sum > 0) atomicAdd(&bins[threadIdx.x], sum);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    histogram_kernel<<<min(ceil_div(pixels, block_size), 528), block_size>>>(gray, bins, pixels);
}
