// family: warp intrinsics
// Style: 28 results a warp: vertical sums first, the neighbours' sums come by warp shuffles.
// Limit: instructions: four shuffles a result; four lanes of 32 have no result of their own.
#include "workbook.cuh"

constexpr uint32_t everyone = 0xffffffffu;
constexpr int results = 28;  // a warp
constexpr int warps = 4;     // a block, one row each

template <bool triangle>
__global__ void smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                              int width, int height) {
    const int lane = threadIdx.x, x = blockIdx.x * results + lane - 2;
    const int y = blockIdx.y * warps + threadIdx.y;
    int sum = 0, weight = 0;
    for (int dy = -2; dy <= 2; ++dy) {
        const int row = y + dy, w = triangle ? 3 - abs(dy) : 1;
        if (x < 0 || x >= width || row < 0 || row >= height) continue;
        sum += w * gray[row * width + x];
        weight += w;
    }
    // Sum and weight travel together: the sum has at most 9 * 255 = 2,295.
    const int both = weight << 16 | sum;
    const int inner = triangle ? 2 : 1, centre = triangle ? 3 : 1;
    int total = centre * both;
    total += inner * (__shfl_up_sync(everyone, both, 1) + __shfl_down_sync(everyone, both, 1));
    total += __shfl_up_sync(everyone, both, 2) + __shfl_down_sync(everyone, both, 2);
    if (lane < 2 || lane >= 30 || x >= width || y >= height) return;
    const int sums = total & 0xffff, weights = total >> 16;
    out[y * width + x] = (sums + weights / 2) / weights;
}

struct Filter {
    int weights[25];
};

// A lane has one pixel's three bytes of a row at a time; the filter is a kernel argument.
__global__ void filter_kernel(const uchar3* __restrict__ rgb, uchar3* __restrict__ out,
                              const Filter filter, int divisor, int width, int height) {
    const int lane = threadIdx.x, x = blockIdx.x * results + lane - 2;
    const int y = blockIdx.y * warps + threadIdx.y;
    int r = 0, g = 0, b = 0;
#pragma unroll
    for (int dy = 0; dy < 5; ++dy) {
        const int row = y + dy - 2;
        uint32_t color = 0;
        if (x >= 0 && x < width && row >= 0 && row < height) {
            const uchar3 c = rgb[row * width + x];
            color = c.x | c.y << 8 | c.z << 16;
        }
#pragma unroll
        for (int dx = 0; dx < 5; ++dx) {
            const uint32_t other = __shfl_sync(everyone, color, (lane + dx + 30) % 32);
            r += filter.weights[5 * dy + dx] * static_cast<int>(other & 255);
            g += filter.weights[5 * dy + dx] * static_cast<int>(other >> 8 & 255);
            b += filter.weights[5 * dy + dx] * static_cast<int>(other >> 16);
        }
    }
    if (lane < 2 || lane >= 30 || x >= width || y >= height) return;
    const int i = y * width + x;
    if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2)
        out[i] = rgb[i];
    else
        out[i] = make_uchar3(min(max(r / divisor, 0), 255), min(max(g / divisor, 0), 255),
                             min(max(b / divisor, 0), 255));
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 grid(ceil_div(width, results), ceil_div(height, warps));
    smooth_kernel<false><<<grid, dim3(32, warps)>>>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 grid(ceil_div(width, results), ceil_div(height, warps));
    smooth_kernel<true><<<grid, dim3(32, warps)>>>(gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    Filter filter;
    for (int k = 0; k < 25; ++k) filter.weights[k] = filter25[k];
    const dim3 grid(ceil_div(width, results), ceil_div(height, warps));
    filter_kernel<<<grid, dim3(32, warps)>>>(reinterpret_cast<const uchar3*>(rgb),
                                             reinterpret_cast<uchar3*>(out), filter, divisor, width,
                                             height);
}
