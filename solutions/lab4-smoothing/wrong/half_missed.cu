// expect: mismatch smooth_box
// tasks: smooth_box
// fault: 0.499999 in place of 0.5 rounds halves down where means are small.
#include "workbook.cuh"

constexpr int block_size = 256;  // tune: 64 128 256 512 1024
static_assert(block_size % 32 == 0 && block_size <= 1024,
              "whole warps, and at most 1,024 threads");
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
            sum += weight * gray[row * width + column];
            total += weight;
        }
    }
    return sum / static_cast<float>(total) + 0.499999f;
}

template <bool triangular>
__global__ void smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                              int width, int height) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width * height) return;
    out[i] = mean_at<triangular>(gray, i % width, i / width, width, height);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int blocks = ceil_div(width * height, block_size);
    smooth_kernel<false><<<blocks, block_size>>>(gray, out, width, height);
}
