// Rung 6: a tile with its halo in shared memory.
//
// tasks: smooth_box, smooth_triangular
// slower:   smooth_triangular: its weights come from constant memory now, and the 25 loads remain.
//           One of the reports measured such a tile as slower, too.
//
// Before:   neighbouring threads load the same bytes again and again, through the L1 cache. Whole
//           rows in shared memory (rung 5) need six rows of the image for two rows of results.
// Change:   a block loads a rectangle, its tile, and a halo of two pixels on each side, as in the
//           two reports on the GTX 480. That is more bytes than the block has threads, so the
//           threads loop. Pixels outside the image are stored as 0: they add nothing
//           to a sum, and only the weights at the borders have to be counted separately.
// Expected: 36 x 12 bytes for 256 results: each byte is loaded 1.7 times, and blocks are so small
//           that many share a multiprocessor. Little gain all the same: the sums still take 25
//           loads each, only from a nearer memory.
#include "workbook.cuh"

constexpr int tile_width = 32;
constexpr int tile_height = 8;  // or 16
constexpr int radius = 2;
constexpr int staged_width = tile_width + 2 * radius;
constexpr int staged_height = tile_height + 2 * radius;
static_assert(tile_width * tile_height <= 1024, "a block has at most 1,024 threads");

__constant__ int triangle[5] = {1, 2, 3, 2, 1};

// The upper left corner of this block's tile. All tiles are numbered in x, row by row: a grid has
// room for two billion blocks in x, and for 65,535 in y.
struct Tile {
    int x, y;
};

__device__ Tile tile_of_block(int width) {
    const int across = ceil_div(width, tile_width);
    const int tile_x = blockIdx.x % across, tile_y = blockIdx.x / across;
    return {tile_width * tile_x, tile_height * tile_y};
}

// Copies the tile and its halo; 0 outside the image.
__device__ void stage(Tile tile, const uint8_t* gray, uint8_t* staged, int width, int height) {
    const int thread = threadIdx.y * tile_width + threadIdx.x;
    for (int i = thread; i < staged_height * staged_width; i += tile_width * tile_height) {
        const int column = i % staged_width + (tile.x - radius);
        const int row = i / staged_width + tile.y - radius;
        const bool inside = column >= 0 && column < width && row >= 0 && row < height;
        staged[i] = inside ? gray[row * width + column] : 0;
    }
    __syncthreads();  // tile and halo are in shared memory
}

// The weights of the neighbours that exist along a side of this length, added up.
template <bool triangular>
__device__ int weights_along(int position, int side) {
    int total = 0;
    for (int d = -radius; d <= radius; ++d) {
        if (position + d < 0 || position + d >= side) continue;
        total += triangular ? triangle[d + radius] : 1;
    }
    return total;
}

// ANCHOR: kernel
template <bool triangular>
__global__ void smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                              int width, int height) {
    __shared__ uint8_t staged[staged_height * staged_width];
    const Tile tile = tile_of_block(width);
    stage(tile, gray, staged, width, height);
    const int x = tile.x + threadIdx.x, y = tile.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const uint8_t* corner = staged + threadIdx.y * staged_width + threadIdx.x;
    int sum = 0;
    for (int dy = 0; dy < 5; ++dy) {
        for (int dx = 0; dx < 5; ++dx) {
            const int weight = triangular ? triangle[dx] * triangle[dy] : 1;
            sum += weight * corner[dy * staged_width + dx];
        }
    }
    const int total = weights_along<triangular>(x, width) * weights_along<triangular>(y, height);
    out[y * width + x] = (sum + total / 2) / total;
}
// ANCHOR_END: kernel

int tiles(int width, int height) {
    return ceil_div(width, tile_width) * ceil_div(height, tile_height);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 block(tile_width, tile_height);
    smooth_kernel<false><<<tiles(width, height), block>>>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 block(tile_width, tile_height);
    smooth_kernel<true><<<tiles(width, height), block>>>(gray, out, width, height);
}
