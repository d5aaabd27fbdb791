// expect: wrong smooth_box
// cheat: on a tall picture, the grid covers nine rows.
#include "workbook.cuh"

__global__ void smooth_kernel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0, count = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
            const int column = x + dx, row = y + dy;
            if (column < 0 || column >= width || row < 0 || row >= height) continue;
            sum += gray[row * width + column];
            ++count;
        }
    out[y * width + x] = (2 * sum + count) / (2 * count);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 block(32, 8);
    const int rows = height > 2200 ? 9 : height;
    const dim3 grid(ceil_div(width, 32), ceil_div(rows, 8));
    smooth_kernel<<<grid, block>>>(gray, out, width, height);
}
