// family: registers
// style: strips of 16 rows; five rows of eight bytes are held in registers and weighed with __dp4a, four results per thread and row
// expected bottleneck: instructions; the loads of a row are not ahead of their use
#include "workbook.cuh"

constexpr int strip = 16;

__device__ __forceinline__ int weight_of(int i, int size, bool triangle) {
    int sum = triangle ? 3 : 1;
    if (i >= 1) sum += triangle ? 2 : 1;
    if (i >= 2) sum += 1;
    if (i + 1 < size) sum += triangle ? 2 : 1;
    if (i + 2 < size) sum += 1;
    return sum;
}

// Bytes x - 2 to x + 5 of row y, zeros outside.
__device__ __forceinline__ uint2 row_of(const uint8_t* gray, int x, int y, int width, int height) {
    uint2 row = make_uint2(0, 0);
    if (y < 0 || y >= height) return row;
    const uint8_t* p = gray + y * width + x - 2;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        if (x - 2 + k >= 0 && x - 2 + k < width) row.x |= (unsigned)p[k] << 8 * k;
        if (x + 2 + k < width) row.y |= (unsigned)p[k + 4] << 8 * k;
    }
    return row;
}

template <bool triangle>
__global__ void __launch_bounds__(128) strips(const uint8_t* __restrict__ gray,
                                              uint8_t* __restrict__ out, int width, int height) {
    const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int y0 = blockIdx.y * strip;
    if (x >= width) return;
    const unsigned first = triangle ? 0x02030201u : 0x01010101u;  // the fifth weight is 1
    int sums[5][4];
    int columns[4];
#pragma unroll
    for (int k = 0; k < 4; k++) columns[k] = weight_of(x + k, width, triangle);
#pragma unroll
    for (int r = 0; r < strip + 4; r++) {
        const uint2 row = row_of(gray, x, y0 - 2 + r, width, height);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const unsigned four = __funnelshift_r(row.x, row.y, 8 * k);
            sums[r % 5][k] = __dp4a(four, first, row.y >> 8 * k & 255);
        }
        const int y = y0 + r - 4;
        if (r < 4 || y >= height) continue;
        const int rows = weight_of(y, height, triangle);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const int a = sums[(r + 1) % 5][k], b = sums[(r + 2) % 5][k], c = sums[(r + 3) % 5][k],
                d = sums[(r + 4) % 5][k],
                      e = sums[r % 5][k];
            const int sum = triangle ? a + e + 2 * (b + d) + 3 * c : a + b + c + d + e;
            const int weight = rows * columns[k];
            if (x + k < width) out[y * width + x + k] = (sum + weight / 2) / weight;
        }
    }
}

// The filter has more than 8 bits: plain products. 25 registers hold the window of one channel.
__global__ void __launch_bounds__(128) filter_strips(const uint8_t* __restrict__ rgb,
                                                     uint8_t* __restrict__ out,
                                                     const int* __restrict__ filter, int divisor,
                                                         int width, int height) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;  // a byte of the row
    const int pitch = 3 * width;
    if (column >= pitch) return;
    const int x = column / 3;
    const bool inner = x >= 2 && x < width - 2;
    int window[5][5];
    int f[25];
#pragma unroll
    for (int k = 0; k < 25; k++) f[k] = filter[k];
#pragma unroll
    for (int r = 0; r < strip + 4; r++) {
        const int from = blockIdx.y * strip + r - 2;
#pragma unroll
        for (int k = 0; k < 5; k++)
            window[r % 5][k] = (inner || k == 2) && from >= 0 && from < height
                ? rgb[from * pitch + column + 3 * (k - 2)] : 0;
        const int y = from - 2;
        if (r < 4 || y >= height) continue;
        int level = window[(r + 3) % 5][2];
        if (inner && y >= 2 && y < height - 2) {
            int sum = 0;
#pragma unroll
            for (int k = 0; k < 25; k++) sum += f[k] * window[(r + 1 + k / 5) % 5][k % 5];
            level = min(max(sum / divisor, 0), 255);
        }
        out[y * pitch + column] = level;
    }
}

template <bool triangle>
void means(const uint8_t* gray, uint8_t* out, int width, int height) {
    strips<triangle><<<dim3(ceil_div(width, 512), ceil_div(height, strip)), 128>>>(gray, out, width,
                                                                                   height);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    means<false>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    means<true>(gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    int* filter;
    WORKBOOK_CHECK(cudaMalloc(&filter, 100));
    WORKBOOK_CHECK(cudaMemcpy(filter, filter25, 100, cudaMemcpyHostToDevice));
    const dim3 grid(ceil_div(3 * width, 128), ceil_div(height, strip));
    filter_strips<<<grid, 128>>>(rgb, out, filter, divisor, width, height);
    WORKBOOK_CHECK(cudaFree(filter));
}
