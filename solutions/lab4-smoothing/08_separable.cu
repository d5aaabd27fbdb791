// Rung 8: columns first, then rows.
//
// tasks: smooth_box, smooth_triangular
// slower:   smooth_triangular, by about one percent: the checks and the divisions of rung 6 are
//           back, and cost what the idea gains. The next rung needs the idea.
//
// Before:   25 loads from shared memory and 24 additions for every pixel, although five pixels of a
//           row need the same sum of five pixels in a column.
// Change:   two steps through shared memory: each column of five is summed once, then five such
//           sums side by side. That works for weights that are a product of a column's weight and a
//           row's weight, as those of the box and the triangle are. A filter that only the caller
//           knows need not be such a product.
// Expected: ten loads and eight additions instead of 25 and 24: a gain, at the price of a second
//           barrier, and of sums that take two bytes of shared memory each.
#include "workbook.cuh"

constexpr int block_size = 256;
constexpr int tile_width = 64;
constexpr int tile_height = 16;
constexpr int radius = 2;
constexpr int staged_width = tile_width + 2 * radius;
constexpr int staged_height = tile_height + 2 * radius;

__constant__ int triangle[5] = {1, 2, 3, 2, 1};

// The upper left corner of this block's tile; tiles are numbered row by row.
__device__ int2 tile_of_block(int width) {
    const int across = ceil_div(width, tile_width);
    return make_int2(tile_width * (blockIdx.x % across), tile_height * (blockIdx.x / across));
}

// Copies the tile and its halo; 0 outside the image.
__device__ void stage(int2 tile, const uint8_t* gray, uint8_t* staged, int width, int height) {
    for (int i = threadIdx.x; i < staged_height * staged_width; i += block_size) {
        const int column = i % staged_width + (tile.x - radius);
        const int row = i / staged_width + tile.y - radius;
        const bool inside = column >= 0 && column < width && row >= 0 && row < height;
        staged[i] = inside ? gray[row * width + column] : 0;
    }
    __syncthreads();  // tile and halo are in shared memory
}

// The sum of five values, `stride` apart, weighted. The largest is 81 * 255, which 16 bits hold.
template <bool triangular, class T>
__device__ int sum_of_five(const T* first, int stride) {
    const int a = first[0], b = first[stride], c = first[2 * stride], d = first[3 * stride],
              e = first[4 * stride];
    return triangular ? a + e + 2 * (b + d) + 3 * c : a + b + c + d + e;
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
    __shared__ uint16_t columns[tile_height * staged_width];
    const int2 tile = tile_of_block(width);
    stage(tile, gray, staged, width, height);
    for (int i = threadIdx.x; i < tile_height * staged_width; i += block_size)
        columns[i] = sum_of_five<triangular>(staged + i, staged_width);
    __syncthreads();  // the sums of all columns are in shared memory
    for (int i = threadIdx.x; i < tile_height * tile_width; i += block_size) {
        const int row = i / tile_width, column = i % tile_width;
        const int x = tile.x + column, y = tile.y + row;
        if (x >= width || y >= height) continue;
        const int sum = sum_of_five<triangular>(columns + row * staged_width + column, 1);
        const int total =
            weights_along<triangular>(x, width) * weights_along<triangular>(y, height);
        out[y * width + x] = (sum + total / 2) / total;
    }
}
// ANCHOR_END: kernel

int tiles(int width, int height) {
    return ceil_div(width, tile_width) * ceil_div(height, tile_height);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth_kernel<false><<<tiles(width, height), block_size>>>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth_kernel<true><<<tiles(width, height), block_size>>>(gray, out, width, height);
}
