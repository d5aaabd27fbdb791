// expect: mismatch gray_histogram
// tasks: gray_histogram
// cause: rows_and_columns_swapped
// fault: the gray of column x and row y is stored where a picture turned over would have it.
#include "workbook.cuh"

constexpr int block_side = 16;  // tune: 8 16 32
static_assert(block_side * block_side <= 1024, "no more threads than a block may hold");

// A grid has room for this many blocks in y; taller images are finished in further rounds.
constexpr int max_grid_height = 65535;

dim3 grid_for(int width, int height) {
    const int rows = ceil_div(height, block_side);
    return dim3(ceil_div(width, block_side), rows < max_grid_height ? rows : max_grid_height);
}

// Whole hundredths, rounded: exact, so that its histogram is too.
__device__ uint32_t gray_of(uint32_t red, uint32_t green, uint32_t blue) {
    return (30 * red + 59 * green + 11 * blue + 50) / 100;
}

__global__ void gray_histogram_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                      uint32_t* __restrict__ bins, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        const int i = y * width + x;
        const uint32_t level = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
        gray[x * height + y] = level;
        atomicAdd(&bins[level], 1u);
    }
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const dim3 block(block_side, block_side);
    gray_histogram_kernel<<<grid_for(width, height), block>>>(rgb, gray, bins, width, height);
}
