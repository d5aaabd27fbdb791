// expect: mismatch filter_rgb
// tasks: filter_rgb
// fault: the host looks at 24 of the 25 weights, and takes the last one for one of a signed byte.
#include "workbook.cuh"

struct Filter {
    int weights[25];
};

template <class Weight>
__global__ void filter_rgb_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                                  Filter filter, int divisor, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const bool inside = x >= 2 && y >= 2 && x < width - 2 && y < height - 2;
    for (int channel = 0; channel < 3; ++channel) {
        const int at = 3 * (y * width + x) + channel;
        int sum = 0;
        for (int j = 0; inside && j < 25; ++j)
            sum += Weight(filter.weights[j]) * rgb[at + 3 * ((j / 5 - 2) * width + j % 5 - 2)];
        out[at] = inside ? min(max(sum / divisor, 0), 255) : rgb[at];
    }
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    Filter filter;
    bool bytes = true;
    for (int i = 0; i < 25; ++i) filter.weights[i] = filter25[i];
    for (int i = 0; i < 24; ++i) bytes = bytes && filter25[i] >= -128 && filter25[i] <= 127;
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8)), block(32, 8);
    if (bytes)
        filter_rgb_kernel<signed char>
            <<<grid, block>>>(rgb, out, filter, divisor, width, height);
    else
        filter_rgb_kernel<int><<<grid, block>>>(rgb, out, filter, divisor, width, height);
}
