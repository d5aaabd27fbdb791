// family: atomics global
// Style: scatter instead of gather: each pixel adds itself to the sums of its 25 neighbours.
// Limit: 25 atomics on global memory a pixel (75 for colour), and a second pass that divides.
#include "workbook.cuh"

__constant__ int weights[25];

__global__ void scatter_mean(const uint8_t* gray, int2* sums, int width, int height) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) return;
    const int level = gray[y * width + x];
    for (int k = 0; k < 25; ++k) {
        const int column = x + k % 5 - 2, row = y + k / 5 - 2;
        if (column < 0 || column >= width || row < 0 || row >= height) continue;
        atomicAdd(&sums[row * width + column].x, weights[k] * level);
        atomicAdd(&sums[row * width + column].y, weights[k]);
    }
}

__global__ void divide(const int2* sums, uint8_t* out, int n) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) out[i] = (sums[i].x + sums[i].y / 2) / sums[i].y;
}

// Threads are bytes; a row of blocks has a row of the image. Scattering asks for a turned filter.
__global__ void scatter_color(const uint8_t* rgb, int* sums, int width, int height) {
    const int i = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
    if (i >= 3 * width) return;
    const int level = rgb[3 * y * width + i];
    for (int k = 0; k < 25; ++k) {
        const int target = i - 3 * (k % 5 - 2), row = y - (k / 5 - 2);
        if (target >= 0 && target < 3 * width && row >= 0 && row < height)
            atomicAdd(&sums[3 * row * width + target], weights[k] * level);
    }
}

__global__ void divide_color(const int* sums, const uint8_t* rgb, uint8_t* out, int divisor,
                             int width, int height) {
    const int i = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y, x = i / 3;
    if (x >= width) return;
    const int at = 3 * y * width + i;
    const bool border = x < 2 || y < 2 || x >= width - 2 || y >= height - 2;
    out[at] = border ? rgb[at] : min(max(sums[at] / divisor, 0), 255);
}

void smooth(const int* host_weights, const uint8_t* gray, uint8_t* out, int width, int height) {
    const size_t n = static_cast<size_t>(width) * height;
    cudaMemcpyToSymbol(weights, host_weights, sizeof(weights));
    int2* sums;
    cudaMalloc(&sums, n * sizeof(int2));
    cudaMemset(sums, 0, n * sizeof(int2));
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    scatter_mean<<<grid, dim3(32, 8)>>>(gray, sums, width, height);
    divide<<<ceil_div(width * height, 256), 256>>>(sums, out, width * height);
    cudaFree(sums);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    int ones[25];
    for (int k = 0; k < 25; ++k) ones[k] = 1;
    smooth(ones, gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    int pyramid[25];
    for (int k = 0; k < 25; ++k) pyramid[k] = (3 - abs(k % 5 - 2)) * (3 - abs(k / 5 - 2));
    smooth(pyramid, gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    const size_t bytes = 3 * sizeof(int) * static_cast<size_t>(width) * height;
    cudaMemcpyToSymbol(weights, filter25, sizeof(weights));
    int* sums;
    cudaMalloc(&sums, bytes);
    cudaMemset(sums, 0, bytes);
    const dim3 grid(ceil_div(3 * width, 256), height);
    scatter_color<<<grid, 256>>>(rgb, sums, width, height);
    divide_color<<<grid, 256>>>(sums, rgb, out, divisor, width, height);
    cudaFree(sums);
}
