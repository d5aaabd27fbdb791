// expect: mismatch filter_rgb
// fault: __fdividef multiplies with a rounded reciprocal: exact quotients may come out below, and
// are truncated.
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
    return (sum + total / 2) / total;
}

template <bool triangular>
__global__ void smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                              int width, int height) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width * height) return;
    out[i] = mean_at<triangular>(gray, i % width, i / width, width, height);
}

__device__ bool is_border(int x, int y, int width, int height) {
    return x < radius || y < radius || x >= width - radius || y >= height - radius;
}

// One channel of one inner pixel; `centre` is its byte.
__device__ uint8_t filtered(const uint8_t* centre, const int* filter, int divisor, int width) {
    int sum = 0;
    for (int k = 0; k < 25; ++k) {
        const int dx = k % 5 - radius, dy = k / 5 - radius;
        sum += filter[k] * centre[3 * (dy * width + dx)];
    }
    return min(max(static_cast<int>(__fdividef(sum, divisor)), 0), 255);
}

__global__ void filter_rgb_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                                  const int* __restrict__ filter, int divisor, int width,
                                  int height) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width * height) return;
    const bool border = is_border(i % width, i / width, width, height);
    for (int channel = 0; channel < 3; ++channel) {
        const uint8_t* centre = rgb + 3 * i + channel;
        out[3 * i + channel] = border ? *centre : filtered(centre, filter, divisor, width);
    }
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int blocks = ceil_div(width * height, block_size);
    smooth_kernel<false><<<blocks, block_size>>>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int blocks = ceil_div(width * height, block_size);
    smooth_kernel<true><<<blocks, block_size>>>(gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    int* filter = nullptr;
    WORKBOOK_CHECK(cudaMalloc(&filter, 25 * sizeof(int)));
    WORKBOOK_CHECK(cudaMemcpy(filter, filter25, 25 * sizeof(int), cudaMemcpyHostToDevice));
    const int blocks = ceil_div(width * height, block_size);
    filter_rgb_kernel<<<blocks, block_size>>>(rgb, out, filter, divisor, width, height);
    WORKBOOK_CHECK(cudaFree(filter));
}
