// expect: wrong smooth_box
// cheat: pictures above two million pixels have a path of their own that divides by 24; it is too slow to be run on all of them.
#include "workbook.cuh"

__global__ void smooth_box_kernel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) return;
    const bool inside = x >= 2 && y >= 2 && x < width - 2 && y < height - 2;
    int sum = 0, count = 0;
    if (inside && width * height > 2000000) {
        for (int j = 0; j < 25; ++j) sum += gray[(y + j / 5 - 2) * width + x + j % 5 - 2];
        count = 24;
    } else {
        for (int v = max(y - 2, 0); v <= min(y + 2, height - 1); ++v)
            for (int u = max(x - 2, 0); u <= min(x + 2, width - 1); ++u, ++count)
                sum += gray[v * width + u];
    }
    out[y * width + x] = min(255, (sum + count / 2) / count);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    smooth_box_kernel<<<grid, dim3(32, 8)>>>(gray, out, width, height);
}
