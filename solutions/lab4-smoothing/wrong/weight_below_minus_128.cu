// expect: mismatch filter_rgb
// tasks: filter_rgb
// fault: negative weights are not looked at before they are kept in signed bytes: -129 becomes 127.
#include "workbook.cuh"

__constant__ int words[25];
__constant__ signed char bytes[25];

__global__ void filter(const uint8_t* rgb, uint8_t* out, bool narrow, int divisor, int width,
                       int height) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) return;
    const bool inside = x >= 2 && y >= 2 && x < width - 2 && y < height - 2;
    for (int c = 0; c < 3; ++c) {
        const uint8_t* from = rgb + 3 * (y * width + x) + c;
        int sum = 0;
        for (int k = 0; inside && k < 25; ++k) {
            const int weight = narrow ? bytes[k] : words[k];
            sum += weight * from[3 * ((k / 5 - 2) * width + k % 5 - 2)];
        }
        out[3 * (y * width + x) + c] = inside ? max(0, min(255, sum / divisor)) : *from;
    }
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    signed char narrowed[25];
    bool narrow = true;
    for (int k = 0; k < 25; ++k) {
        narrow = narrow && filter25[k] <= 127;
        narrowed[k] = filter25[k];
    }
    cudaMemcpyToSymbol(bytes, narrowed, sizeof narrowed);
    cudaMemcpyToSymbol(words, filter25, sizeof words);
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    filter<<<grid, dim3(32, 8)>>>(rgb, out, narrow, divisor, width, height);
}
