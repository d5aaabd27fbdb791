// about: Shuffles stay inside their tile; what would come from outside is the thread's own value.
// input in: i32[64] = 7 * i % 61
// output from_third: i32[64] = in[i / 8 * 8 + 3]
// output down: i32[64] = in[i % 8 < 6 ? i + 2 : i]
// output up: i32[64] = in[i % 8 >= 3 ? i - 3 : i]
// output across: i32[64] = in[i / 8 * 8 + (i % 8 ^ 5)]
// output wide: f64[64] = in[i / 8 * 8 + (i % 8 ^ 1)] + 0.25
// output pixels: u8[256] = (4 * (i / 32 * 8 + (i / 4 % 8 ^ 4)) + i % 4) % 256
// finding: none
// sanitizer: synccheck

#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__global__ void kernel(const int* in, int* from_third, int* down, int* up, int* across, double* wide, uchar4* pixels) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const int i = threadIdx.x, value = in[i];
    from_third[i] = tile.shfl(value, 3);
    down[i] = tile.shfl_down(value, 2);
    up[i] = tile.shfl_up(value, 3);
    across[i] = tile.shfl_xor(value, 5);
    wide[i] = tile.shfl_xor(value + 0.25, 1);
    const unsigned char first = 4 * i;
    const uchar4 pixel = {first, (unsigned char)(first + 1), (unsigned char)(first + 2), (unsigned char)(first + 3)};
    pixels[i] = tile.shfl_xor(pixel, 4);
}

void run(const int* in, int* from_third, int* down, int* up, int* across, double* wide, uint8_t* pixels) {
    kernel<<<1, 64>>>(in, from_third, down, up, across, wide, (uchar4*)pixels);
}
