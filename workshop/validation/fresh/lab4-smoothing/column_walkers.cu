// family: sliding window down a column
// style: register blocking: a thread owns a column of 24 rows and keeps the last five row sums in registers
// expected bottleneck: load instructions of one byte, five per pixel, and the latency of each step
#include "workbook.cuh"

constexpr int strip = 24;
constexpr int block_size = 160;

__constant__ float weights[25];

__device__ __forceinline__ int byte_at(const uint8_t* row, int x, int width) {
    return x >= 0 && x < width ? __ldg(row + x) : 0;
}

template <bool triangular>
__device__ __forceinline__ int row_sum(const uint8_t* gray, int x, int y, int width, int height) {
    if (y < 0 || y >= height) return 0;
    const uint8_t* row = gray + (size_t)y * width;
    int a = byte_at(row, x - 2, width), b = byte_at(row, x - 1, width), c = row[x];
    int d = byte_at(row, x + 1, width), e = byte_at(row, x + 2, width);
    return triangular ? a + e + 2 * (b + d) + 3 * c : a + b + c + d + e;
}

template <bool triangular>
__device__ __forceinline__ int weight_along(int at, int size) {
    int inner = triangular ? 2 : 1, centre = triangular ? 3 : 1;
    return centre + inner * ((at > 0) + (at < size - 1)) + (at > 1) + (at < size - 2);
}

template <bool triangular>
__global__ void walk(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int width,
                     int height) {
    int x = blockIdx.x * block_size + threadIdx.x;
    if (x >= width) return;
    int y0 = blockIdx.y * strip;
    int s0 = row_sum<triangular>(gray, x, y0 - 2, width, height);
    int s1 = row_sum<triangular>(gray, x, y0 - 1, width, height);
    int s2 = row_sum<triangular>(gray, x, y0, width, height);
    int s3 = row_sum<triangular>(gray, x, y0 + 1, width, height);
    int across = weight_along<triangular>(x, width);
    int end = min(y0 + strip, height);
    for (int y = y0; y < end; y++) {
        int s4 = row_sum<triangular>(gray, x, y + 2, width, height);
        int sum = triangular ? s0 + s4 + 2 * (s1 + s3) + 3 * s2 : s0 + s1 + s2 + s3 + s4;
        int weight = across * weight_along<triangular>(y, height);
        out[(size_t)y * width + x] = (uint32_t)(sum + weight / 2) / (uint32_t)weight;
        s0 = s1, s1 = s2, s2 = s3, s3 = s4;
    }
}

// A thread owns a column of bytes; the same channel of the next pixel is three bytes away.
__global__ void walk_filter(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out, int divisor,
                            int width, int height) {
    int bytes = 3 * width;
    int x = blockIdx.x * block_size + threadIdx.x;
    if (x >= bytes) return;
    int y0 = blockIdx.y * strip, end = min(y0 + strip, height);
    bool inner = x >= 6 && x < bytes - 6;
    float window[5][5];
    if (inner) {
#pragma unroll
        for (int r = 0; r < 4; r++) {
            int y = min(max(y0 - 2 + r, 0), height - 1);
#pragma unroll
            for (int k = 0; k < 5; k++) window[r + 1][k] = rgb[(size_t)y * bytes + x + 3 * k - 6];
        }
    }
    for (int y = y0; y < end; y++) {
        if (!inner) {
            out[(size_t)y * bytes + x] = rgb[(size_t)y * bytes + x];
            continue;
        }
        int next = min(y + 2, height - 1);
#pragma unroll
        for (int k = 0; k < 5; k++) {
#pragma unroll
            for (int r = 0; r < 4; r++) window[r][k] = window[r + 1][k];
            window[4][k] = rgb[(size_t)next * bytes + x + 3 * k - 6];
        }
        float sum = 0;  // at most 25 * 1000 * 255, exact in float
#pragma unroll
        for (int k = 0; k < 25; k++) sum = fmaf(weights[k], window[k / 5][k % 5], sum);
        int level = min(max((int)sum / divisor, 0), 255);
        out[(size_t)y * bytes + x] = y < 2 || y >= height - 2 ? (int)window[2][2] : level;
    }
}

template <bool triangular>
static void smooth(const uint8_t* gray, uint8_t* out, int width, int height) {
    dim3 grid(ceil_div(width, block_size), ceil_div(height, strip));
    walk<triangular><<<grid, block_size>>>(gray, out, width, height);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth<false>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth<true>(gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    float values[25];
    for (int k = 0; k < 25; k++) values[k] = (float)filter25[k];
    WORKBOOK_CHECK(cudaMemcpyToSymbol(weights, values, sizeof values));
    dim3 grid(ceil_div(3 * width, block_size), ceil_div(height, strip));
    walk_filter<<<grid, block_size>>>(rgb, out, divisor, width, height);
}
