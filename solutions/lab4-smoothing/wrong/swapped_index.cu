// expect: mismatch smooth_triangular
// tasks: smooth_triangular
// cause: rows_and_columns_swapped
// fault: the neighbours of the triangle are read at x * height + y.
#include "workbook.cuh"

constexpr int block_size = 256;  // tune: 64 128 256 512 1024
static_assert(block_size % 32 == 0 && block_size <= 1024,
              "whole warps, and no more than a block may hold");
constexpr int radius = 2;

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
            sum += weight * gray[triangular ? column * height + row : row * width + column];
            total += weight;
        }
    }
    return (sum + total / 2) / total;
}

template <bool triangular>
__global__ void smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                              int width, int height) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width * height) return;
    out[i] = mean_at<triangular>(gray, i % width, i / width, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int blocks = ceil_div(width * height, block_size);
    smooth_kernel<true><<<blocks, block_size>>>(gray, out, width, height);
}
