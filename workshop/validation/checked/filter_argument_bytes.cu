// lab4 filter_rgb: a thread per byte; the filter is a struct among the arguments; 192 x 2 blocks
// Limit: 25 loads of a byte and multiplications with an argument
#include "workbook.cuh"

struct Filter {
    int w[25];
};

__global__ void bytes(const uint8_t* rgb, uint8_t* out, Filter f, int divisor, int row, int height) {
    int x = blockIdx.x * 192 + threadIdx.x, y = blockIdx.y * 2 + threadIdx.y;
    if (x >= row || y >= height) return;
    const uint8_t* p = rgb + (size_t)y * row + x;
    int v = *p;
    if (x >= 6 && x < row - 6 && y >= 2 && y < height - 2) {
        v = 0;
#pragma unroll
        for (int k = 0; k < 25; k++) v += f.w[k] * p[(k / 5 - 2) * row + 3 * (k % 5 - 2)];
        v = max(0, min(255, v / divisor));
    }
    out[(size_t)y * row + x] = v;
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    Filter f;
    for (int k = 0; k < 25; k++) f.w[k] = filter25[k];
    bytes<<<dim3(ceil_div(3 * width, 192), ceil_div(height, 2)), dim3(192, 2)>>>(rgb, out, f, divisor, 3 * width,
                                                                              height);
}
