// family: shared tile
// style: a tile of 32 x 32 floats is written by rows and read by columns, with bank conflicts on purpose
// expected bottleneck: shared memory: each read of the tile hits one bank with all 32 lanes
#include "workbook.cuh"

constexpr int tile_size = 32;
constexpr int rows_per_turn = 8;

template <bool planar>
__global__ void tile_kernel(const uint8_t* in, uint8_t* out, int width, int height) {
    __shared__ float tile[tile_size][tile_size];
    const int n = width * height;
    const int left = blockIdx.x * tile_size, top = blockIdx.y * tile_size;
    for (int r = threadIdx.y; r < tile_size; r += rows_per_turn) {
        const int x = left + threadIdx.x, y = top + r;
        float value = 0.0f;
        if (x < width && y < height) {
            const int p = y * width + x;
            if (planar)
                value = 0.3f * in[p] + 0.59f * in[n + p] + 0.11f * in[2 * n + p];
            else
                value = 0.3f * in[3 * p] + 0.59f * in[3 * p + 1] + 0.11f * in[3 * p + 2];
        }
        tile[r][threadIdx.x] = value;
    }
    __syncthreads();
    // Darkens in place, down the columns of the tile.
    for (int c = threadIdx.y; c < tile_size; c += rows_per_turn) {
        float& element = tile[threadIdx.x][c];
        element = planar ? element * 0.6f + 0.5f : element + 0.5f;
    }
    __syncthreads();
    for (int r = threadIdx.y; r < tile_size; r += rows_per_turn) {
        const int x = left + threadIdx.x, y = top + r;
        if (x < width && y < height) out[y * width + x] = (uint8_t)tile[r][threadIdx.x];
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const dim3 block(tile_size, rows_per_turn);
    const dim3 grid(ceil_div(width, tile_size), ceil_div(height, tile_size));
    tile_kernel<false><<<grid, block>>>(rgb, gray, width, height);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const dim3 block(tile_size, rows_per_turn);
    const dim3 grid(ceil_div(width, tile_size), ceil_div(height, tile_size));
    tile_kernel<true><<<grid, block>>>(planar_rgb, gray, width, height);
}
