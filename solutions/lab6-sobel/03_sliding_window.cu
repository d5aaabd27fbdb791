// Rung 3: slide a window down in registers.
//
// Before:   a tile in shared memory with a barrier, and eight loads from it per pixel. Each row is
//           combined anew for each of the three rows of results that need it.
// Change:   no shared memory. A thread goes down a column. Of every row it needs two numbers: right
//           minus left, and left + 2 * middle + right. It keeps those of the last three rows in
//           registers, so each step loads three neighbouring bytes of one new row. Columns are
//           clamped once per thread, rows once per step.
// Expected: three loads per pixel, no barrier and few additions: a clear gain. A thread now lives
//           long: an image needs enough columns and bands of rows to fill the GPU.
#include "workbook.cuh"

constexpr int block_size = 128;      // tune: 64 128 256 512
constexpr int rows_per_thread = 32;  // tune: 8 16 32 64

// ANCHOR: kernel
__global__ void sobel_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int width,
                             int height) {
    const int blocks = ceil_div(width, block_size);  // for a band of rows
    const int x = block_size * (blockIdx.x % blocks) + threadIdx.x;
    if (x >= width) return;
    const int top = rows_per_thread * (blockIdx.x / blocks);
    const int bottom = min(top + rows_per_thread, height);
    const int left = max(x - 1, 0), right = min(x + 1, width - 1);
    int difference[3] = {}, sum[3] = {};  // of the last three rows, the newest last
#pragma unroll 3
    for (int row = top - 1; row <= bottom; ++row) {
        const uint8_t* line = gray + min(max(row, 0), height - 1) * width;
        difference[0] = difference[1], difference[1] = difference[2];
        difference[2] = line[right] - line[left];
        sum[0] = sum[1], sum[1] = sum[2];
        sum[2] = line[left] + 2 * line[x] + line[right];
        const int y = row - 1;
        if (y < top) continue;
        const int gx = difference[0] + 2 * difference[1] + difference[2], gy = sum[2] - sum[0];
        out[y * width + x] = min(abs(gx) + abs(gy), 255);
    }
}
// ANCHOR_END: kernel

void sobel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int blocks = ceil_div(width, block_size) * ceil_div(height, rows_per_thread);
    sobel_kernel<<<blocks, block_size>>>(gray, out, width, height);
}
