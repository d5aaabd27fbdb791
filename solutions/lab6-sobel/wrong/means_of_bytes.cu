// expect: mismatch sobel
// fault: a mean of bytes that is rounded up, as `__vavgu4` has it, loses the last bits of a slope.
#include "workbook.cuh"

__device__ int at(const uint8_t* gray, int x, int y, int width, int height) {
    const int column = min(max(x, 0), width - 1), row = min(max(y, 0), height - 1);
    return gray[row * width + column];
}

__global__ void sobel_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int width,
                             int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sides[4] = {};
    for (int side = 0; side < 4; ++side) {
        const int dx = side < 2 ? 2 * side - 1 : 0, dy = side < 2 ? 0 : 2 * side - 5;
        const int one = at(gray, x + dx - dy, y + dy - dx, width, height);
        const int other = at(gray, x + dx + dy, y + dy + dx, width, height);
        const int middle = at(gray, x + dx, y + dy, width, height);
        sides[side] = 4 * (((one + other + 1) / 2 + middle + 1) / 2);
    }
    const int gx = sides[1] - sides[0], gy = sides[3] - sides[2];
    out[y * width + x] = min(abs(gx) + abs(gy), 255);
}

void sobel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 block(32, 8), grid(ceil_div(width, 32), ceil_div(height, 8));
    sobel_kernel<<<grid, block>>>(gray, out, width, height);
}
