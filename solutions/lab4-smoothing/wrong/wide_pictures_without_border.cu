// expect: mismatch smooth_box
// tasks: smooth_box
// fault: low pictures of more than seven times the height lack neighbours above and below.
#include "workbook.cuh"

__global__ void smooth_kernel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int rows = height > 20 && height < 64 && width > 7 * height ? 1 : 2;
    int sum = 0, count = 0;
    for (int b = max(y - rows, 0); b <= min(y + rows, height - 1); ++b) {
        for (int a = max(x - 2, 0); a <= min(x + 2, width - 1); ++a) {
            sum += gray[b * width + a];
            ++count;
        }
    }
    out[y * width + x] = (sum + count / 2) / count;
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 block(32, 8);
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    smooth_kernel<<<grid, block>>>(gray, out, width, height);
}
