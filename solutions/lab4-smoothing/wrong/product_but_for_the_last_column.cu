// expect: mismatch filter_rgb
// tasks: filter_rgb
// fault: a filter counts as a row times a column although its last column was not looked at.
#include "workbook.cuh"

__constant__ int filter[25];

template <bool is_product>
__global__ void filter_kernel(const uint8_t* rgb, uint8_t* out, int divisor, int width,
                              int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const bool inner = x >= 2 && y >= 2 && x < width - 2 && y < height - 2;
    for (int channel = 0; channel < 3; ++channel) {
        const size_t at = 3 * (static_cast<size_t>(y) * width + x) + channel;
        int sum = 0;
        for (int dy = 0; inner && dy < 5; ++dy) {
            const int* row = filter + (is_product ? 0 : 5 * dy);
            int of_row = 0;
            for (int dx = 0; dx < 5; ++dx)
                of_row += row[dx] * rgb[at + 3 * ((dy - 2) * width + dx - 2)];
            sum += is_product ? filter[5 * dy] / filter[0] * of_row : of_row;
        }
        out[at] = inner ? min(max(sum / divisor, 0), 255) : rgb[at];
    }
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    bool is_product = filter25[0] != 0;
    for (int k = 0; is_product && k < 25; ++k) {
        const int of_column = filter25[k / 5 * 5];
        if (k % 5 < 4 && filter25[k] * filter25[0] != of_column * filter25[k % 5])
            is_product = false;
        is_product = is_product && of_column % filter25[0] == 0;
    }
    cudaMemcpyToSymbol(filter, filter25, 25 * sizeof(int));
    const dim3 grid(ceil_div(width, 32), ceil_div(height, 8)), block(32, 8);
    if (is_product)
        filter_kernel<true><<<grid, block>>>(rgb, out, divisor, width, height);
    else
        filter_kernel<false><<<grid, block>>>(rgb, out, divisor, width, height);
}
