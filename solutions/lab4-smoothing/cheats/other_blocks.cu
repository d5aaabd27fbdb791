// expect: not scored smooth_box
// expect on a GPU: right smooth_box
// cheat: large pictures get blocks of another shape.
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
    const dim3 block = height > 2200 ? dim3(1, 32) : dim3(32, 8);
    const dim3 grid(ceil_div(width, block.x), ceil_div(height, block.y));
    smooth_kernel<<<grid, block>>>(gray, out, width, height);
}
