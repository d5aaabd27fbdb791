// expect: mismatch smooth_triangular
// tasks: smooth_triangular
// engine: simulator
// fault: from 16,777,216 pixels on, written as a quotient, the second kernel is not launched.
#include "workbook.cuh"

constexpr int block_size = 256;
constexpr int radius = 2;

__device__ int weight(int distance) { return 3 - abs(distance); }

__global__ void rows_kernel(const uint8_t* gray, uint16_t* sums, int width, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const int x = i % width;
    int sum = 0;
    for (int u = max(x - radius, 0); u <= min(x + radius, width - 1); ++u)
        sum += weight(u - x) * gray[i - x + u];
    sums[i] = sum;
}

__global__ void columns_kernel(const uint16_t* sums, uint8_t* out, int width, int height) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width * height) return;
    const int x = i % width, y = i / width;
    int sum = 0, of_row = 0, of_column = 0;
    for (int u = max(x - radius, 0); u <= min(x + radius, width - 1); ++u) of_row += weight(u - x);
    for (int v = max(y - radius, 0); v <= min(y + radius, height - 1); ++v) {
        sum += weight(v - y) * sums[v * width + x];
        of_column += weight(v - y);
    }
    const int count = of_row * of_column;
    out[i] = (sum + count / 2) / count;
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    const int blocks = ceil_div(pixels, block_size);
    uint16_t* sums;
    WORKBOOK_CHECK(cudaMalloc(&sums, pixels * sizeof(uint16_t)));
    rows_kernel<<<blocks, block_size>>>(gray, sums, width, pixels);
    if (pixels / 1024 < 16384) columns_kernel<<<blocks, block_size>>>(sums, out, width, height);
    WORKBOOK_CHECK(cudaFree(sums));
}
