// expect: finding race
// engine: simulator
// fault: the tile is read before all threads have stored their part of it.
#include "workbook.cuh"

constexpr int tile_width = 32;
constexpr int tile_height = 8;  // tune: 4 8 16 32
constexpr int staged_width = tile_width + 2;
constexpr int staged_height = tile_height + 2;
static_assert(tile_width * tile_height <= 1024, "a block has at most 1,024 threads");

__global__ void sobel_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int width,
                             int height) {
    __shared__ uint8_t staged[staged_height][staged_width];
    // All tiles are numbered in x, row by row: a grid has room for two billion blocks in x, and for
    // 65,535 in y.
    const int across = ceil_div(width, tile_width);
    const int left = tile_width * (blockIdx.x % across), top = tile_height * (blockIdx.x / across);
    const int thread = threadIdx.y * tile_width + threadIdx.x;
    for (int i = thread; i < staged_height * staged_width; i += tile_width * tile_height) {
        const int column = min(max(left - 1 + i % staged_width, 0), width - 1);
        const int row = min(max(top - 1 + i / staged_width, 0), height - 1);
        staged[i / staged_width][i % staged_width] = gray[row * width + column];
    }
    const int x = left + threadIdx.x, y = top + threadIdx.y;
    if (x >= width || y >= height) return;
    const uint8_t* above = &staged[threadIdx.y][threadIdx.x];
    const uint8_t* own = above + staged_width;
    const uint8_t* below = own + staged_width;
    const int gx = above[2] + 2 * own[2] + below[2] - above[0] - 2 * own[0] - below[0];
    const int gy = below[0] + 2 * below[1] + below[2] - above[0] - 2 * above[1] - above[2];
    out[y * width + x] = min(abs(gx) + abs(gy), 255);
}

void sobel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int tiles = ceil_div(width, tile_width) * ceil_div(height, tile_height);
    sobel_kernel<<<tiles, dim3(tile_width, tile_height)>>>(gray, out, width, height);
}
