// lab6 sobel: a tile of ints with halo for 30 x 30 pixels: every thread loads, the inner ones compute
// Limit: full blocks of 1024 threads, one barrier, shared loads
#include "workbook.cuh"

__global__ void inner(const uint8_t* g, uint8_t* out, int width, int height) {
    __shared__ int s[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = (int)blockIdx.x * 30 + tx - 1, y = (int)blockIdx.y * 30 + ty - 1;
    s[ty][tx] = g[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)];
    __syncthreads();
    if (tx == 0 || ty == 0 || tx == 31 || ty == 31 || x >= width || y >= height) return;
    int gx = s[ty - 1][tx + 1] + 2 * s[ty][tx + 1] + s[ty + 1][tx + 1];
    gx -= s[ty - 1][tx - 1] + 2 * s[ty][tx - 1] + s[ty + 1][tx - 1];
    int gy = s[ty + 1][tx - 1] + 2 * s[ty + 1][tx] + s[ty + 1][tx + 1];
    gy -= s[ty - 1][tx - 1] + 2 * s[ty - 1][tx] + s[ty - 1][tx + 1];
    int v = abs(gx) + abs(gy);
    out[y * width + x] = v > 255 ? 255 : v;
}

void sobel(const uint8_t* gray, uint8_t* out, int width, int height) {
    inner<<<dim3(ceil_div(width, 30), ceil_div(height, 30)), dim3(32, 32)>>>(gray, out, width, height);
}
