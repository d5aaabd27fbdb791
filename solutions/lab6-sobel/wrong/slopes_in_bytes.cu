// expect: mismatch sobel
// fault: a slope can be 1,020: an `int8_t` keeps its lowest 8 bits.
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
    int8_t gx = 0, gy = 0;
    for (int d = -1; d <= 1; ++d) {
        const int weight = d == 0 ? 2 : 1;
        gx += weight * at(gray, x + 1, y + d, width, height);
        gx -= weight * at(gray, x - 1, y + d, width, height);
        gy += weight * at(gray, x + d, y + 1, width, height);
        gy -= weight * at(gray, x + d, y - 1, width, height);
    }
    out[y * width + x] = min(abs(gx) + abs(gy), 255);
}

void sobel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 block(32, 8), grid(ceil_div(width, 32), ceil_div(height, 8));
    sobel_kernel<<<grid, block>>>(gray, out, width, height);
}
