// expect: finding memory
// tasks: smooth_box
// engine: simulator
// fault: a loop fills one row more than the tile has: it lies in the next member of the structure.
#include "workbook.cuh"

struct Tile {
    uint8_t row[12][36];
    uint8_t spare[36];
};

__global__ void smooth_kernel(const uint8_t* gray, uint8_t* out, int width, int height) {
    __shared__ Tile tile;
    const int first_x = blockIdx.x * 32 - 2;
    const int first_y = blockIdx.y * 8 - 2;
    const int thread = threadIdx.y * 32 + threadIdx.x;
    for (int k = thread; k < 13 * 36; k += 256) {
        const int x = min(max(first_x + k % 36, 0), width - 1);
        const int y = min(max(first_y + k / 36, 0), height - 1);
        tile.row[k / 36][k % 36] = gray[y * width + x];  // <- here
    }
    __syncthreads();
    const int x = first_x + 2 + threadIdx.x;
    const int y = first_y + 2 + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0;
    int count = 0;
    for (int dy = 0; dy < 5; ++dy) {
        for (int dx = 0; dx < 5; ++dx) {
            const int at_x = x + dx - 2;
            const int at_y = y + dy - 2;
            if (at_x >= 0 && at_x < width && at_y >= 0 && at_y < height) {
                sum += tile.row[threadIdx.y + dy][threadIdx.x + dx];
                ++count;
            }
        }
    }
    out[y * width + x] = (sum + count / 2) / count;
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    smooth_kernel<<<grid, dim3(32, 8)>>>(gray, out, width, height);
}
