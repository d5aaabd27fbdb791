// expect: mismatch filter_rgb
// tasks: filter_rgb
// engine: simulator
// fault: the filter is sent again only if its sum or the divisor has changed.
#include "workbook.cuh"

__constant__ int filter[25];

__global__ void filter_rgb_kernel(const uint8_t* rgb, uint8_t* out, int divisor, int width,
                                  int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const bool border = x < 2 || y < 2 || x >= width - 2 || y >= height - 2;
    for (int c = 0; c < 3; ++c) {
        const int i = 3 * (y * width + x) + c;
        int sum = 0;
        for (int k = 0; k < 25 && !border; ++k)
            sum += filter[k] * rgb[i + 3 * ((k / 5 - 2) * width + k % 5 - 2)];
        out[i] = border ? rgb[i] : min(max(sum / divisor, 0), 255);
    }
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    static int sent_sum = -1, sent_divisor = 0;
    int sum = 0;
    for (int k = 0; k < 25; ++k) sum += filter25[k];
    if (sum != sent_sum || divisor != sent_divisor) {
        cudaMemcpyToSymbol(filter, filter25, sizeof filter);
        sent_sum = sum;
        sent_divisor = divisor;
    }
    const dim3 block(32, 8), grid(ceil_div(width, 32), ceil_div(height, 8));
    filter_rgb_kernel<<<grid, block>>>(rgb, out, divisor, width, height);
}
