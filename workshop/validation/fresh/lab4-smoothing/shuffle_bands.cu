// family: neighbours by warp shuffles
// style: over-engineered: a warp walks down 16 rows, neighbours come from other lanes, five running sums in registers
// expected bottleneck: shuffles, four per byte loaded, and lanes that only load the halo
#include "workbook.cuh"

constexpr unsigned everyone = 0xffffffffu;
constexpr int band = 16;
constexpr int warps = 4;

__device__ __forceinline__ int weight1(bool triangular, int at, int size) {
    int sum = 0;
#pragma unroll
    for (int d = -2; d <= 2; d++)
        if (at + d >= 0 && at + d < size) sum += triangular ? 3 - abs(d) : 1;
    return sum;
}

template <bool triangular>
__global__ void band_mean(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int width,
                          int height) {
    int lane = threadIdx.x;
    int x = (blockIdx.x * warps + threadIdx.y) * 28 + lane - 2;
    int top = blockIdx.y * band;
    bool loads = x >= 0 && x < width;
    bool stores = loads && lane >= 2 && lane < 30;
    int along = stores ? weight1(triangular, x, width) : 1;
    int acc[5] = {};  // sums of the output rows y - 2 to y + 2
    for (int y = top - 2; y < top + band + 2; y++) {
        int value = loads && y >= 0 && y < height ? gray[(size_t)y * width + x] : 0;
        int l1 = __shfl_up_sync(everyone, value, 1), l2 = __shfl_up_sync(everyone, value, 2);
        int r1 = __shfl_down_sync(everyone, value, 1), r2 = __shfl_down_sync(everyone, value, 2);
        int sum = triangular ? l2 + r2 + 2 * (l1 + r1) + 3 * value : l2 + l1 + value + r1 + r2;
#pragma unroll
        for (int k = 0; k < 5; k++) acc[k] += (triangular ? 3 - abs(k - 2) : 1) * sum;
        int row = y - 2;
        if (row >= top && row < height && stores) {
            int weight = along * weight1(triangular, row, height);
            out[(size_t)row * width + x] = (unsigned)(acc[0] + weight / 2) / (unsigned)weight;
        }
#pragma unroll
        for (int k = 0; k < 4; k++) acc[k] = acc[k + 1];
        acc[4] = 0;
    }
}

__constant__ int filter[25];

__global__ void band_filter(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out, int divisor,
                            int bytes, int height) {
    int lane = threadIdx.x;
    int x = (blockIdx.x * warps + threadIdx.y) * 20 + lane - 6;
    int top = blockIdx.y * band;
    bool loads = x >= 0 && x < bytes;
    bool stores = loads && lane >= 6 && lane < 26;
    bool inner = x >= 6 && x < bytes - 6;
    int acc[5] = {};
    int centre[3] = {};  // the bytes of the rows y - 2 to y
    for (int y = top - 2; y < top + band + 2; y++) {
        int value = loads && y >= 0 && y < height ? rgb[(size_t)y * bytes + x] : 0;
        int tap[5];
        tap[0] = __shfl_up_sync(everyone, value, 6);
        tap[1] = __shfl_up_sync(everyone, value, 3);
        tap[2] = value;
        tap[3] = __shfl_down_sync(everyone, value, 3);
        tap[4] = __shfl_down_sync(everyone, value, 6);
        centre[0] = centre[1], centre[1] = centre[2], centre[2] = value;
        // Row y is dy = 2 - k rows below output row y - 2 + k.
#pragma unroll
        for (int k = 0; k < 5; k++)
#pragma unroll
            for (int dx = 0; dx < 5; dx++) acc[k] += filter[5 * (4 - k) + dx] * tap[dx];
        int row = y - 2;
        if (row >= top && row < height && stores) {
            int level = min(max(acc[0] / divisor, 0), 255);
            bool filtered = inner && row >= 2 && row < height - 2;
            out[(size_t)row * bytes + x] = filtered ? level : centre[0];
        }
#pragma unroll
        for (int k = 0; k < 4; k++) acc[k] = acc[k + 1];
        acc[4] = 0;
    }
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    dim3 grid(ceil_div(width, 28 * warps), ceil_div(height, band));
    band_mean<false><<<grid, dim3(32, warps)>>>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    dim3 grid(ceil_div(width, 28 * warps), ceil_div(height, band));
    band_mean<true><<<grid, dim3(32, warps)>>>(gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    WORKBOOK_CHECK(cudaMemcpyToSymbol(filter, filter25, sizeof filter));
    dim3 grid(ceil_div(3 * width, 20 * warps), ceil_div(height, band));
    band_filter<<<grid, dim3(32, warps)>>>(rgb, out, divisor, 3 * width, height);
}
