// expect on a GPU: wrong smooth_box
// cheat: does nothing in one of 64 calls, by the clock: a check of a few calls would hardly notice.
#include "workbook.cuh"

__global__ void smooth_kernel(const uint8_t* gray, uint8_t* out, int width, int height, const int* idle) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height || *idle) return;
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

__global__ void choose_kernel(int* idle) {
    unsigned long long nanoseconds;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    *idle = nanoseconds / 65536 % 64 == 0;
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    int* idle;
    WORKBOOK_CHECK(cudaMalloc(&idle, sizeof(int)));
    choose_kernel<<<1, 1>>>(idle);
    const dim3 block(32, 8);
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    smooth_kernel<<<grid, block>>>(gray, out, width, height, idle);
    WORKBOOK_CHECK(cudaFree(idle));
}
