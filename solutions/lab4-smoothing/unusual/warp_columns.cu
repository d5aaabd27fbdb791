// why: each lane sums a column, and neighbours exchange sums by shuffles across the warp.
// tasks: smooth_box
#include "workbook.cuh"

constexpr unsigned everyone = 0xffffffffu;

// 28 results per warp: two lanes on each side only help.
__global__ void smooth_kernel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int x = (blockIdx.x * (blockDim.x / 32) + warp) * 28 + lane - 2, y = blockIdx.y;
    int2 mine = make_int2(0, 0);
    if (x >= 0 && x < width)
        for (int v = max(y - 2, 0); v <= min(y + 2, height - 1); ++v)
            mine.x += gray[v * width + x], ++mine.y;
    int2 all = mine;
    for (int by = 1; by <= 2; ++by) {
        all.x += __shfl_up_sync(everyone, mine.x, by) + __shfl_down_sync(everyone, mine.x, by);
        all.y += __shfl_up_sync(everyone, mine.y, by) + __shfl_down_sync(everyone, mine.y, by);
    }
    if (lane >= 2 && lane < 30 && x < width) out[y * width + x] = (all.x + all.y / 2) / all.y;
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth_kernel<<<dim3(ceil_div(width, 4 * 28), height), 128>>>(gray, out, width, height);
}
