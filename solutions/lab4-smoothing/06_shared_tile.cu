// Rung 6: a tile with its halo in shared memory.
//
// Before:   whole rows in shared memory: two rows of results need six of the image.
// Change:   a block loads a rectangle, its tile, and a halo of two pixels on each side, as in the
//           two reports on the GTX 480. More bytes are loaded than the block has threads, so the
//           threads go round in a loop. What lies outside the image is stored as 0: it adds nothing
//           to a sum, and only the weights at the borders have to be counted apart.
// Expected: 36 x 12 bytes for 256 results: each byte 1.7 times instead of three times, and blocks
//           so small that many share a multiprocessor. One of the reports found its tile slower
//           than 25 loads through the cache, all the same: the sums are still made of 25 loads
//           each, only from a nearer memory.
#include "workbook.cuh"

constexpr int tile_width = 32;
constexpr int tile_height = 8;  // or 16
constexpr int radius = 2;
constexpr int staged_width = tile_width + 2 * radius;
constexpr int staged_height = tile_height + 2 * radius;
static_assert(tile_width * tile_height <= 1024, "no more threads than a block may hold");

__constant__ int triangle[5] = {1, 2, 3, 2, 1};
__constant__ int filter[25];

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

// Copies the tile and its halo, `channels` bytes a pixel; 0 outside the image.
template <int channels>
__device__ void stage(Tile tile, const uint8_t* image, uint8_t* staged, int width, int height) {
    constexpr int row_bytes = channels * staged_width;
    const int thread = threadIdx.y * tile_width + threadIdx.x;
    for (int i = thread; i < staged_height * row_bytes; i += tile_width * tile_height) {
        const int byte = i % row_bytes + channels * (tile.x - radius);
        const int row = i / row_bytes + tile.y - radius;
        const bool inside = byte >= 0 && byte < channels * width && row >= 0 && row < height;
        staged[i] = inside ? image[row * channels * width + byte] : 0;
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
    stage<1>(tile, gray, staged, width, height);
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

__device__ bool is_border(int x, int y, int width, int height) {
    return x < radius || y < radius || x >= width - radius || y >= height - radius;
}

__global__ void filter_rgb_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                                  int divisor, int width, int height) {
    __shared__ uint8_t staged[staged_height * 3 * staged_width];
    const Tile tile = tile_of_block(width);
    stage<3>(tile, rgb, staged, width, height);
    const int x = tile.x + threadIdx.x, y = tile.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const bool border = is_border(x, y, width, height);
    const uint8_t* corner = staged + 3 * (threadIdx.y * staged_width + threadIdx.x);
    for (int channel = 0; channel < 3; ++channel) {
        int sum = 0;
        for (int k = 0; k < 25; ++k)
            sum += filter[k] * corner[3 * (k / 5 * staged_width + k % 5) + channel];
        const int centre = corner[3 * (radius * staged_width + radius) + channel];
        out[3 * (y * width + x) + channel] = border ? centre : min(max(sum / divisor, 0), 255);
    }
}

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

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    WORKBOOK_CHECK(cudaMemcpyToSymbol(filter, filter25, 25 * sizeof(int)));
    const dim3 block(tile_width, tile_height);
    filter_rgb_kernel<<<tiles(width, height), block>>>(rgb, out, divisor, width, height);
}
