// family: registers
// Style: a thread loads 8 x 6 pixels to registers and makes 4 x 2 results, everything unrolled.
// Limit: loads and stores of single bytes four apart, many registers; six loads a result.
#include "workbook.cuh"

struct Filter {
    int weights[25];
};

__device__ int pixel(const uint8_t* image, int x, int y, int width, int height) {
    return x >= 0 && x < width && y >= 0 && y < height ? image[y * width + x] : 0;
}

template <bool triangle>
__device__ int weights(int position, int side) {
    const int two = position >= 2, one = position >= 1;
    const int three = position < side - 1, four = position < side - 2;
    return triangle ? two + 2 * one + 3 + 2 * three + four : two + one + 1 + three + four;
}

template <bool triangle>
__global__ void __launch_bounds__(128)
    smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int width,
                  int height) {
    const int left = 4 * (blockIdx.x * 32 + threadIdx.x), top = 2 * (blockIdx.y * 4 + threadIdx.y);
    if (left >= width || top >= height) return;
    int p[6][8];
#pragma unroll
    for (int k = 0; k < 48; ++k)
        p[k / 8][k % 8] = pixel(gray, left + k % 8 - 2, top + k / 8 - 2, width, height);
#pragma unroll
    for (int r = 0; r < 8; ++r) {
        const int x = left + r % 4, y = top + r / 4;
        if (x >= width || y >= height) continue;
        int sum = 0;
#pragma unroll
        for (int k = 0; k < 25; ++k) {
            const int weight = triangle ? (3 - abs(k / 5 - 2)) * (3 - abs(k % 5 - 2)) : 1;
            sum += weight * p[r / 4 + k / 5][r % 4 + k % 5];
        }
        const int total = weights<triangle>(x, width) * weights<triangle>(y, height);
        out[y * width + x] = (sum + total / 2) / total;
    }
}

// A thread has four bytes below each other: a column of eight rows, five columns of one channel.
__global__ void __launch_bounds__(128)
    filter_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out, const Filter filter,
                  int divisor, int width, int height) {
    const int bytes = 3 * width, x = blockIdx.x * 128 + threadIdx.x, top = 4 * blockIdx.y;
    if (x >= bytes) return;
    int p[8][5];
#pragma unroll
    for (int k = 0; k < 40; ++k)
        p[k / 5][k % 5] = pixel(rgb, x + 3 * (k % 5 - 2), top + k / 5 - 2, bytes, height);
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        const int y = top + r;
        if (y >= height) break;
        int sum = 0;
#pragma unroll
        for (int k = 0; k < 25; ++k) sum += filter.weights[k] * p[r + k / 5][k % 5];
        const bool border = x < 6 || y < 2 || x >= bytes - 6 || y >= height - 2;
        out[y * bytes + x] = border ? p[r + 2][2] : min(max(sum / divisor, 0), 255);
    }
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 grid(ceil_div(width, 128), ceil_div(height, 8));
    smooth_kernel<false><<<grid, dim3(32, 4)>>>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 grid(ceil_div(width, 128), ceil_div(height, 8));
    smooth_kernel<true><<<grid, dim3(32, 4)>>>(gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    Filter filter;
    for (int k = 0; k < 25; ++k) filter.weights[k] = filter25[k];
    const dim3 grid(ceil_div(3 * width, 128), ceil_div(height, 4));
    filter_kernel<<<grid, 128>>>(rgb, out, filter, divisor, width, height);
}
