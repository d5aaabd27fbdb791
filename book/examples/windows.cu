// about: Each result is the sum of 5 × 5 neighbours; those outside count 0. How often is each pixel fetched?
// input in: u8[8192] = i * 37 % 251
// output out: u16[8192] =
//   sum(y, max(i / 128 - 2, 0), min(i / 128 + 3, 64), sum(x, max(i % 128 - 2, 0), min(i % 128 + 3, 128), in[y * 128 + x]))
// int width = 128
// int height = 64
// elements: 8192
// scale: 8192
// grows: height
// columns: requests, moved, shared requests, instructions, time
// variant direct: every thread loads its 25 neighbours
// variant tile: a block loads its tile and its halo to shared memory once
// variant separable: the same, with sums of rows first, then sums of these
// variant sliding: a thread goes down a column and keeps the last five sums of rows
// cost direct: 6,536; 41.2; 0; 247.5
// cost tile: 992; 7.0; 7,168; 167.9
// cost separable: 992; 7.0; 4,352; 177.9
// cost sliding: 1,776; 11.5; 0; 66.4
#include "workbook.cuh"

constexpr int radius = 2;
constexpr int tile_width = 32, tile_height = 8;
constexpr int rows_per_thread = 16;

// ANCHOR: pixel
// A pixel outside of the image counts 0.
__device__ uint32_t pixel(const uint8_t* in, int x, int y, int width, int height) {
    const bool inside = x >= 0 && x < width && y >= 0 && y < height;
    return inside ? in[y * width + x] : 0;
}
// ANCHOR_END: pixel

// ANCHOR: direct
__global__ void direct_kernel(const uint8_t* in, uint16_t* out, int width, int height) {
    const int x = blockIdx.x * tile_width + threadIdx.x;
    const int y = blockIdx.y * tile_height + threadIdx.y;
    if (x >= width || y >= height) return;
    uint32_t sum = 0;
    for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx) sum += pixel(in, x + dx, y + dy, width, height);
    out[y * width + x] = sum;
}
// ANCHOR_END: direct

// ANCHOR: load_tile
constexpr int outer_width = tile_width + 2 * radius;    // 36
constexpr int outer_height = tile_height + 2 * radius;  // 12

// The tile of the block and its halo: two pixels more on each side.
__device__ void load_tile(uint8_t (&tile)[outer_height][outer_width], const uint8_t* in, int width,
                          int height) {
    const int left = blockIdx.x * tile_width - radius, top = blockIdx.y * tile_height - radius;
    for (int y = threadIdx.y; y < outer_height; y += tile_height)
        for (int x = threadIdx.x; x < outer_width; x += tile_width)
            tile[y][x] = pixel(in, left + x, top + y, width, height);
    __syncthreads();  // the whole tile is there before any of it is read
}
// ANCHOR_END: load_tile

// ANCHOR: tile
__global__ void tile_kernel(const uint8_t* in, uint16_t* out, int width, int height) {
    __shared__ uint8_t tile[outer_height][outer_width];
    load_tile(tile, in, width, height);
    const int x = blockIdx.x * tile_width + threadIdx.x;
    const int y = blockIdx.y * tile_height + threadIdx.y;
    if (x >= width || y >= height) return;
    uint32_t sum = 0;
    for (int dy = 0; dy <= 2 * radius; ++dy)
        for (int dx = 0; dx <= 2 * radius; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
    out[y * width + x] = sum;
}
// ANCHOR_END: tile

// ANCHOR: separable
__global__ void separable_kernel(const uint8_t* in, uint16_t* out, int width, int height) {
    __shared__ uint8_t tile[outer_height][outer_width];
    __shared__ uint16_t of_row[outer_height][tile_width];
    load_tile(tile, in, width, height);
    for (int y = threadIdx.y; y < outer_height; y += tile_height) {
        uint32_t sum = 0;
        for (int dx = 0; dx <= 2 * radius; ++dx) sum += tile[y][threadIdx.x + dx];
        of_row[y][threadIdx.x] = sum;
    }
    __syncthreads();  // every sum of a row is there before the sums down the columns

    const int x = blockIdx.x * tile_width + threadIdx.x;
    const int y = blockIdx.y * tile_height + threadIdx.y;
    if (x >= width || y >= height) return;
    uint32_t sum = 0;
    for (int dy = 0; dy <= 2 * radius; ++dy) sum += of_row[threadIdx.y + dy][threadIdx.x];
    out[y * width + x] = sum;
}
// ANCHOR_END: separable

// ANCHOR: sliding
__device__ uint32_t sum_of_row(const uint8_t* in, int x, int y, int width, int height) {
    uint32_t sum = 0;
    for (int dx = -radius; dx <= radius; ++dx) sum += pixel(in, x + dx, y, width, height);
    return sum;
}

__global__ void sliding_kernel(const uint8_t* in, uint16_t* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int top = blockIdx.y * rows_per_thread;
    if (x >= width) return;
    uint32_t a = sum_of_row(in, x, top - 2, width, height);
    uint32_t b = sum_of_row(in, x, top - 1, width, height);
    uint32_t c = sum_of_row(in, x, top, width, height);
    uint32_t d = sum_of_row(in, x, top + 1, width, height);
#pragma unroll
    for (int k = 0; k < rows_per_thread; ++k) {
        const int y = top + k;
        const uint32_t e = sum_of_row(in, x, y + 2, width, height);  // the only new row
        if (y < height) out[y * width + x] = a + b + c + d + e;
        a = b, b = c, c = d, d = e;  // the window slides down by one row
    }
}
// ANCHOR_END: sliding

using Kernel = void(const uint8_t*, uint16_t*, int, int);

template <Kernel kernel>
void in_tiles(const uint8_t* in, uint16_t* out, int width, int height) {
    const dim3 grid(ceil_div(width, tile_width), ceil_div(height, tile_height));
    kernel<<<grid, dim3(tile_width, tile_height)>>>(in, out, width, height);
}

void direct(const uint8_t* in, uint16_t* out, int width, int height) {
    in_tiles<direct_kernel>(in, out, width, height);
}
void tile(const uint8_t* in, uint16_t* out, int width, int height) {
    in_tiles<tile_kernel>(in, out, width, height);
}
void separable(const uint8_t* in, uint16_t* out, int width, int height) {
    in_tiles<separable_kernel>(in, out, width, height);
}
void sliding(const uint8_t* in, uint16_t* out, int width, int height) {
    constexpr int block_size = 128;
    const dim3 grid(ceil_div(width, block_size), ceil_div(height, rows_per_thread));
    sliding_kernel<<<grid, block_size>>>(in, out, width, height);
}
