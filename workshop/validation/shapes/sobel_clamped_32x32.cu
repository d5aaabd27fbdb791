// lab6 sobel: blocks of 32 x 32, eight loads with clamped coordinates
// Limit: how blocks follow each other
#include "workbook.cuh"

__device__ int px(const uint8_t* g, int x, int y, int width, int height) {
    x = max(0, min(x, width - 1));
    y = max(0, min(y, height - 1));
    return g[y * width + x];
}

__global__ void edges(const uint8_t* g, uint8_t* out, int w, int h) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x >= w || y >= h) return;
    int a = px(g, x - 1, y - 1, w, h), b = px(g, x, y - 1, w, h), c = px(g, x + 1, y - 1, w, h);
    int d = px(g, x - 1, y, w, h), f = px(g, x + 1, y, w, h);
    int p = px(g, x - 1, y + 1, w, h), q = px(g, x, y + 1, w, h), r = px(g, x + 1, y + 1, w, h);
    int gx = c + 2 * f + r - a - 2 * d - p, gy = p + 2 * q + r - a - 2 * b - c;
    out[y * w + x] = min(abs(gx) + abs(gy), 255);
}

void sobel(const uint8_t* gray, uint8_t* out, int width, int height) {
    edges<<<dim3(ceil_div(width, 32), ceil_div(height, 32)), dim3(32, 32)>>>(gray, out, width, height);
}
