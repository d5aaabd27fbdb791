// Rung 3: several pixels per thread.
//
// tasks: smooth_box, smooth_triangular
//
// Before:   one pixel per thread: for 47 million pixels as many threads are started, and end at
//           once.
// Change:   fewer threads, and a loop: each thread takes several pixels of its column. The loop
//           steps down by the height of the whole grid, so that the threads of a warp stay side by
//           side.
// Expected: hardly any change: the report found none either, except for small images. The 25 loads
//           and the border checks of a pixel remain.
#include "workbook.cuh"

constexpr int block_width = 32;  // tune: 16 32
constexpr int block_height = 8;  // tune: 4 8 16
static_assert(block_width * block_height <= 1024, "a block has at most 1,024 threads");
constexpr int radius = 2;

constexpr int rows_per_thread = 8;  // tune: 1 4 8 16

// A grid has at most this many blocks in y; threads loop over the rows of taller images.
constexpr int max_grid_height = 65535;

// Grows with the image: about `rows_per_thread` rounds.
dim3 grid_for(int width, int height) {
    const int rows = ceil_div(height, block_height * rows_per_thread);
    return dim3(ceil_div(width, block_width), rows < max_grid_height ? rows : max_grid_height);
}

template <bool triangular>
__device__ int weight_at(int distance) {
    return triangular ? radius + 1 - abs(distance) : 1;
}

// The weighted mean over the neighbours of (x, y) that exist, rounded, halves up.
template <bool triangular>
__device__ uint8_t mean_at(const uint8_t* gray, int x, int y, int width, int height) {
    int sum = 0, total = 0;
    for (int dy = -radius; dy <= radius; ++dy) {
        for (int dx = -radius; dx <= radius; ++dx) {
            const int column = x + dx, row = y + dy;
            if (column < 0 || column >= width || row < 0 || row >= height) continue;
            const int weight = weight_at<triangular>(dx) * weight_at<triangular>(dy);
            sum += weight * gray[row * width + column];
            total += weight;
        }
    }
    return (sum + total / 2) / total;
}

// ANCHOR: kernel
template <bool triangular>
__global__ void smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                              int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y)
        out[y * width + x] = mean_at<triangular>(gray, x, y, width, height);
}
// ANCHOR_END: kernel

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 block(block_width, block_height);
    smooth_kernel<false><<<grid_for(width, height), block>>>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 block(block_width, block_height);
    smooth_kernel<true><<<grid_for(width, height), block>>>(gray, out, width, height);
}
