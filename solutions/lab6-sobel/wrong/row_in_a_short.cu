// expect: finding memory
// tasks: sobel
// fault: the row is kept in 16 bits, and becomes negative below row 32,767.
#include "workbook.cuh"

__global__ void edges(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int x = blockIdx.x * 32 + threadIdx.x;
    const short y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) return;
    const int l = max(x - 1, 0), r = min(x + 1, width - 1);
    const uint8_t* m = gray + y * width;
    const uint8_t* u = gray + max(y - 1, 0) * width;
    const uint8_t* d = gray + min(y + 1, height - 1) * width;
    const int gx = u[r] + 2 * m[r] + d[r] - u[l] - 2 * m[l] - d[l];
    const int gy = d[l] + 2 * d[x] + d[r] - u[l] - 2 * u[x] - u[r];
    out[y * width + x] = min(abs(gx) + abs(gy), 255);
}

void sobel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    edges<<<grid, dim3(32, 8)>>>(gray, out, width, height);
}
