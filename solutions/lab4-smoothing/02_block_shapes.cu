// Rung 2: two-dimensional blocks.
//
// tasks: smooth_box, smooth_triangular
//
// Before:   blocks of 256 x 1 threads. A neighbourhood is as high as it is wide, and the 256 pixels
//           of such a block need 5 x 260 bytes between them.
// Change:   two-dimensional blocks. The reports compare 32 x 8 and 32 x 16; here each warp is one
//           row of a block. (The filter is not here: three bytes per pixel make its rows long
//           enough, and the new shape would double its time.)
// Expected: the 256 pixels of a 32 x 8 block need 36 x 12 bytes between them, a third: more of the
//           25 loads hit the L1 cache. The number of instructions stays the same, so expect little
//           where instructions are the limit. The index needs no division any more.
#include "workbook.cuh"

constexpr int block_width = 32;  // tune: 16 32 64
constexpr int block_height = 8;  // tune: 4 8 16 32
static_assert(block_width * block_height <= 1024, "a block has at most 1,024 threads");
constexpr int radius = 2;

// A grid has at most this many blocks in y; threads loop over the rows of taller images.
constexpr int max_grid_height = 65535;

dim3 grid_for(int width, int height) {
    const int rows = ceil_div(height, block_height);
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
