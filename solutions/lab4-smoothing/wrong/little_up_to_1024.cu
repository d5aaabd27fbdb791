// expect: mismatch filter_rgb
// tasks: filter_rgb
// fault: 0.002 is added to a product with the reciprocal: too much for divisors from 500 to 1,024.
#include "workbook.cuh"

__constant__ int weights[25];

__global__ void filter(const uint8_t* rgb, uint8_t* out, int divisor, float reciprocal, int width,
                       int height) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) return;
    const bool inside = x >= 2 && y >= 2 && x < width - 2 && y < height - 2;
    for (int c = 0; c < 3; ++c) {
        const uint8_t* from = rgb + 3 * (y * width + x) + c;
        int sum = 0;
        for (int k = 0; inside && k < 25; ++k) {
            sum += weights[k] * from[3 * ((k / 5 - 2) * width + k % 5 - 2)];
        }
        const int product = sum * reciprocal + 0.002f;
        const int quotient = divisor <= 1024 ? product : sum / divisor;
        out[3 * (y * width + x) + c] = inside ? max(0, min(255, quotient)) : *from;
    }
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    cudaMemcpyToSymbol(weights, filter25, sizeof weights);
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    filter<<<grid, dim3(32, 8)>>>(rgb, out, divisor, 1.0f / divisor, width, height);
}
