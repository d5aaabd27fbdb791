// expect: mismatch filter_rgb
// tasks: filter_rgb
// engine: simulator
// fault: __fdividef multiplies with a rounded reciprocal: exact quotients may come out below, and
// are truncated.
#include "workbook.cuh"

constexpr int block_size = 256;  // tune: 64 128 256 512 1024
static_assert(block_size % 32 == 0 && block_size <= 1024,
              "whole warps, and at most 1,024 threads");
constexpr int radius = 2;

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

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    int* filter = nullptr;
    WORKBOOK_CHECK(cudaMalloc(&filter, 25 * sizeof(int)));
    WORKBOOK_CHECK(cudaMemcpy(filter, filter25, 25 * sizeof(int), cudaMemcpyHostToDevice));
    const int blocks = ceil_div(width * height, block_size);
    filter_rgb_kernel<<<blocks, block_size>>>(rgb, out, filter, divisor, width, height);
    WORKBOOK_CHECK(cudaFree(filter));
}
