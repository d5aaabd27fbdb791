// expect: mismatch filter_rgb
// tasks: filter_rgb
// fault: sums are multiplied with the rounded reciprocal where the divisor is large.
#include "workbook.cuh"

struct Filter {
    int values[25];
};

__global__ void filter_kernel(const uint8_t* rgb, uint8_t* out, Filter filter, int divisor,
                              double reciprocal, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const bool inner = x >= 2 && y >= 2 && x < width - 2 && y < height - 2;
    for (int c = 0; c < 3; ++c) {
        const int at = 3 * (y * width + x) + c;
        int sum = 0;
        for (int k = 0; k < 25 && inner; ++k)
            sum += filter.values[k] * rgb[at + 3 * ((k / 5 - 2) * width + k % 5 - 2)];
        const int quotient = divisor > 5000 ? static_cast<int>(sum * reciprocal) : sum / divisor;
        out[at] = inner ? min(max(quotient, 0), 255) : rgb[at];
    }
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    Filter filter;
    memcpy(filter.values, filter25, sizeof(filter));
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8));
    filter_kernel<<<grid, dim3(32, 8)>>>(rgb, out, filter, divisor, 1.0 / divisor, width, height);
}
