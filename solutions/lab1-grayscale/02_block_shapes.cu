// Rung 2: two-dimensional blocks.
//
// slower:   a pixel shares nothing with its neighbours, so the shape gains nothing here, and its
//           index costs more. It stands here because the reports compare the shapes, and because
//           lab 4 needs them.
//
// Before:   blocks of 256 x 1 threads, although an image has two dimensions.
// Change:   two-dimensional blocks and grids. All four grid layouts that the reports compare are
//           here:
//               M1  block_height 1, folded false    a row of blocks for every row of the image
//               M2  block_height 1, folded true     rung 1
//               M3  block_height 8, folded false    a rectangle of blocks over the image
//               M4  block_height 8, folded true     the same grid, its threads numbered in a line
// Expected: a loss: the index takes more instructions, and a block narrower than a warp would split
//           the accesses of a warp.
#include "workbook.cuh"

constexpr int block_width = 32;  // tune: 8 16 32 128 256
constexpr int block_height = 8;  // tune: 1 4 8 16
static_assert(block_width * block_height <= 1024, "a block has at most 1,024 threads");

// Which of the two grids `grayscale` has: M1 and M3, or M2 and M4.
constexpr bool gray_folded = false;  // tune: false true

// A grid has at most this many blocks in y; threads loop over the rows of taller images.
constexpr int max_grid_height = 65535;

dim3 grid_for(int width, int height) {
    const int rows = ceil_div(height, block_height);
    return dim3(ceil_div(width, block_width), rows < max_grid_height ? rows : max_grid_height);
}

// The first pixel of this thread if the threads of the grid are numbered block by block.
__device__ int folded_index() {
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    return block * (blockDim.x * blockDim.y) + threadIdx.y * blockDim.x + threadIdx.x;
}

__device__ int grid_threads() { return gridDim.x * gridDim.y * (blockDim.x * blockDim.y); }

__device__ uint8_t gray_of(float red, float green, float blue) {
    return static_cast<uint8_t>(0.3f * red + 0.59f * green + 0.11f * blue + 0.5f);
}

// ANCHOR: kernel
template <bool folded>
__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int width, int height) {
    if (folded) {
        for (int i = folded_index(); i < width * height; i += grid_threads())
            gray[i] = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
        return;
    }
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        const int i = y * width + x;
        gray[i] = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
    }
}
// ANCHOR_END: kernel

__device__ uint8_t dark_gray_of(float red, float green, float blue) {
    return static_cast<uint8_t>((0.3f * red + 0.59f * green + 0.11f * blue) * 0.6f + 0.5f);
}

template <bool folded>
__global__ void grayscale_darken_kernel(const uint8_t* __restrict__ planar_rgb,
                                        uint8_t* __restrict__ gray, int width, int height) {
    const int pixels = width * height;
    if (folded) {
        for (int i = folded_index(); i < pixels; i += grid_threads())
            gray[i] =
                dark_gray_of(planar_rgb[i], planar_rgb[pixels + i], planar_rgb[2 * pixels + i]);
        return;
    }
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        const int i = y * width + x;
        gray[i] = dark_gray_of(planar_rgb[i], planar_rgb[pixels + i], planar_rgb[2 * pixels + i]);
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const dim3 block(block_width, block_height);
    grayscale_kernel<gray_folded>  // M3
        <<<grid_for(width, height), block>>>(rgb, gray, width, height);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    const dim3 block(block_width, block_height);
    grayscale_darken_kernel<true>  // M4
        <<<grid_for(width, height), block>>>(planar_rgb, gray, width, height);
}
