// expect: mismatch smooth_box
// tasks: smooth_box
// cause: neighbours_shifted
// fault: the tile begins one column left of the block, where its halo has two.
#include "workbook.cuh"
__global__ void smooth_box_kernel(const uint8_t* gray, uint8_t* out, int width, int height) {
    __shared__ uint8_t tile[12][36];
    const int x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 8 - 2;
    for (int k = threadIdx.y * 32 + threadIdx.x; k < 432; k += 256) {
        const int u = x0 + k % 36, v = y0 + k / 36;
        const bool inside = u >= 0 && u < width && v >= 0 && v < height;
        tile[k / 36][k % 36] = inside ? gray[v * width + u] : 0;
    }
    __syncthreads();
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0;
    for (int r = 0; r < 5; r++)
        for (int c = 0; c < 5; c++)
            sum += tile[threadIdx.y + r][threadIdx.x + c];
    const int columns = min(x + 2, width - 1) - max(x - 2, 0) + 1;
    const int rows = min(y + 2, height - 1) - max(y - 2, 0) + 1;
    const int count = columns * rows;
    out[y * width + x] = (sum + count / 2) / count;
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 block(32, 8);
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    smooth_box_kernel<<<grid, block>>>(gray, out, width, height);
}
