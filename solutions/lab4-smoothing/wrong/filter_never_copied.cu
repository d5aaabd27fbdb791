// expect: mismatch filter_rgb
// tasks: filter_rgb
// fault: nothing copies the filter to the constant that the kernel reads: it holds zeros.
#include "workbook.cuh"

__constant__ int filter[25];
__global__ void filter_rgb_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                                  int divisor, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int i = 3 * (y * width + x);
    if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) {
        for (int c = 0; c < 3; ++c) out[i + c] = rgb[i + c];
        return;
    }
    for (int c = 0; c < 3; ++c) {
        int sum = 0;
        for (int dy = -2; dy <= 2; ++dy)
            for (int dx = -2; dx <= 2; ++dx)
                sum += filter[5 * (dy + 2) + dx + 2] * rgb[i + c + 3 * (dy * width + dx)];
        out[i + c] = min(max(sum / divisor, 0), 255);
    }
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    filter_rgb_kernel<<<dim3(ceil_div(width, 32), ceil_div(height, 8)), dim3(32, 8)>>>(
        rgb, out, divisor, width, height);
}
