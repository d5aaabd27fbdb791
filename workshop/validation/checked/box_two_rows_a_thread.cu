// lab4 smooth_box: two rows a thread from six row sums, float division
// Limit: 30 loads of a byte for two pixels
#include "workbook.cuh"

__device__ int row_sum(const uint8_t* gray, int x0, int x1, int y, int width, int height) {
    if (y < 0 || y >= height) return 0;
    int s = 0;
    for (int u = x0; u <= x1; u++) s += gray[y * width + u];
    return s;
}

__global__ void two(const uint8_t* gray, uint8_t* out, int width, int height) {
    int x = blockIdx.x * 64 + threadIdx.x, y = 2 * (blockIdx.y * 4 + threadIdx.y);
    if (x >= width || y >= height) return;
    int x0 = max(x - 2, 0), x1 = min(x + 2, width - 1), s[6];
#pragma unroll
    for (int k = 0; k < 6; k++) s[k] = row_sum(gray, x0, x1, y - 2 + k, width, height);
    int middle = s[1] + s[2] + s[3] + s[4];
#pragma unroll
    for (int k = 0; k < 2; k++) {
        if (y + k >= height) break;
        int rows = min(y + k + 2, height - 1) - max(y + k - 2, 0) + 1;
        int count = rows * (x1 - x0 + 1);
        int sum = middle + s[5 * k];
        out[(y + k) * width + x] = (uint8_t)floorf((2 * sum + count) / (2.0f * count) + 0.0001f);
    }
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    two<<<dim3(ceil_div(width, 64), ceil_div(height, 8)), dim3(64, 4)>>>(gray, out, width, height);
}
