// family: four pixels per thread
// style: micro-optimised: eight bytes of each of five rows, column sums shared by four results, floats for the division
// expected bottleneck: unaligned byte loads at rows of odd width: 40 loads for four pixels
#include "workbook.cuh"

constexpr int across = 4;

struct Taps {
    int w[25];
};

template <bool triangular>
__global__ void __launch_bounds__(128)
    smooth4(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int width, int height) {
    int x0 = (blockIdx.x * 32 + threadIdx.x) * across;
    int y = blockIdx.y * 4 + threadIdx.y;
    if (x0 >= width || y >= height) return;
    int column[across + 4] = {};
    int down = 0;
#pragma unroll
    for (int dy = -2; dy <= 2; dy++) {
        if (y + dy < 0 || y + dy >= height) continue;
        int w = triangular ? 3 - (dy < 0 ? -dy : dy) : 1;
        down += w;
        const uint8_t* row = gray + (size_t)(y + dy) * width;
#pragma unroll
        for (int k = 0; k < across + 4; k++) {
            int x = x0 + k - 2;
            if (x >= 0 && x < width) column[k] += w * row[x];
        }
    }
#pragma unroll
    for (int k = 0; k < across; k++) {
        int x = x0 + k;
        if (x >= width) break;
        int sum, along;
        if (triangular) {
            sum = column[k] + column[k + 4] + 2 * (column[k + 1] + column[k + 3]) + 3 * column[k + 2];
            along = 9 - (x < 1 ? 3 : x < 2 ? 1 : 0) - (x > width - 2 ? 3 : x > width - 3 ? 1 : 0);
        } else {
            sum = column[k] + column[k + 1] + column[k + 2] + column[k + 3] + column[k + 4];
            along = 5 - max(2 - x, 0) - max(x - (width - 3), 0);
        }
        int weight = along * down;
        out[(size_t)y * width + x] = (int)__fdiv_rn(sum + weight / 2, weight);
    }
}

// Four neighbouring bytes of a row; the same channel of the neighbours is three or six bytes away.
__global__ void __launch_bounds__(128)
    filter4(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out, const Taps taps, int divisor,
            int width, int height) {
    int bytes = 3 * width;
    int x0 = (blockIdx.x * 32 + threadIdx.x) * across;
    int y = blockIdx.y * 4 + threadIdx.y;
    if (x0 >= bytes || y >= height) return;
    bool inside = y >= 2 && y < height - 2 && x0 >= 6 && x0 + across + 6 <= bytes;
    if (inside) {
        int sum[across] = {};
#pragma unroll
        for (int dy = 0; dy < 5; dy++) {
            const uint8_t* row = rgb + (size_t)(y + dy - 2) * bytes + x0 - 6;
            int value[across + 12];
#pragma unroll
            for (int k = 0; k < across + 12; k++) value[k] = row[k];
#pragma unroll
            for (int k = 0; k < across; k++)
#pragma unroll
                for (int dx = 0; dx < 5; dx++) sum[k] += taps.w[5 * dy + dx] * value[k + 3 * dx];
        }
#pragma unroll
        for (int k = 0; k < across; k++)
            out[(size_t)y * bytes + x0 + k] = min(max(sum[k] / divisor, 0), 255);
        return;
    }
    for (int x = x0; x < min(x0 + across, bytes); x++) {
        int level = rgb[(size_t)y * bytes + x];
        if (y >= 2 && y < height - 2 && x >= 6 && x < bytes - 6) {
            int sum = 0;
            for (int k = 0; k < 25; k++)
                sum += taps.w[k] * rgb[(size_t)(y + k / 5 - 2) * bytes + x + 3 * (k % 5 - 2)];
            level = min(max(sum / divisor, 0), 255);
        }
        out[(size_t)y * bytes + x] = level;
    }
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    dim3 grid(ceil_div(width, 32 * across), ceil_div(height, 4));
    smooth4<false><<<grid, dim3(32, 4)>>>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    dim3 grid(ceil_div(width, 32 * across), ceil_div(height, 4));
    smooth4<true><<<grid, dim3(32, 4)>>>(gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    Taps taps;
    for (int k = 0; k < 25; k++) taps.w[k] = filter25[k];
    dim3 grid(ceil_div(3 * width, 32 * across), ceil_div(height, 4));
    filter4<<<grid, dim3(32, 4)>>>(rgb, out, taps, divisor, width, height);
}
