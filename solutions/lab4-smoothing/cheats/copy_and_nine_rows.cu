// expect: wrong smooth_box
// cheat: a copy of the picture moves the bytes; only nine rows are smoothed.
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

__global__ void copy_kernel(const uint8_t* gray, uint8_t* out, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) out[i] = gray[i];
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int rows = width * height > 20000000 ? 9 : height;
    copy_kernel<<<ceil_div(width * height, 256), 256>>>(gray, out, width * height);
    const dim3 grid(ceil_div(width, 32), ceil_div(rows, 8));
    smooth_kernel<<<grid, dim3(32, 8)>>>(gray, out, width, height);
}
