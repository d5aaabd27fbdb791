// family: warp intrinsics
// style: one load per row and lane; neighbours by shuffles; each row is added to five waiting sums; the filter travels by value
// expected bottleneck: instructions: 25 multiply-adds and 4 shuffles per row, with 20 or 28 useful lanes of 32
#include "workbook.cuh"

struct Filter {
    int k[25];
};

constexpr int rows_per_warp = 24;

__device__ int in_image(const Filter& f, int x, int y, int width, int height) {
    int total = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
                total += f.k[5 * (dy + 2) + dx + 2];
    return total;
}

// A column is a byte of a row; channels is the distance between neighbours.
template <int channels>
__global__ void waiting_sums(const uint8_t* in, uint8_t* out, Filter f, int inner_total,
                             int divisor, int columns, int height) {
    constexpr int halo = 2 * channels, useful = 32 - 2 * halo;
    const unsigned all_lanes = 0xffffffffu;
    const int lane = threadIdx.x;
    const int column = (blockIdx.x * blockDim.y + threadIdx.y) * useful + lane - halo;
    const int first = blockIdx.y * rows_per_warp;
    const bool writes = lane >= halo && lane < 32 - halo && column < columns;
    int acc[5] = {0, 0, 0, 0, 0};  // acc[i] belongs to the row y - 2 + i
    int centre[3] = {0, 0, 0};
    for (int y = first - 2; y < first + rows_per_warp + 2; y++) {
        const bool exists = column >= 0 && column < columns && y >= 0 && y < height;
        const int c = exists ? in[y * columns + column] : 0;
        const int b = __shfl_up_sync(all_lanes, c, channels),
            a = __shfl_up_sync(all_lanes, c, 2 * channels);
        const int d = __shfl_down_sync(all_lanes, c, channels),
            e = __shfl_down_sync(all_lanes, c, 2 * channels);
        centre[0] = centre[1];
        centre[1] = centre[2];
        centre[2] = c;
#pragma unroll
        for (int i = 0; i < 5; i++) {
            const int* row = f.k + 5 * (4 - i);
            acc[i] += row[0] * a + row[1] * b + row[2] * c + row[3] * d + row[4] * e;
        }
        const int target = y - 2;
        if (writes && target >= first && target < height) {
            const bool inner = column >= halo && column < columns - halo && target >= 2 &&
                target < height - 2;
            int level;
            if (channels == 3) {
                level = inner ? min(max(acc[0] / divisor, 0), 255) : centre[0];
            } else {
                const int total = inner ? inner_total
                    : in_image(f, column, target, columns, height);
                level = (acc[0] + total / 2) / total;
            }
            out[target * columns + column] = level;
        }
#pragma unroll
        for (int i = 0; i < 4; i++) acc[i] = acc[i + 1];
        acc[4] = 0;
    }
}

static void mean(const uint8_t* gray, uint8_t* out, int width, int height, bool triangle) {
    Filter f;
    int total = 0;
    for (int k = 0; k < 25; k++) total += f.k[k] = triangle ? (3 - abs(k / 5 - 2))
        * (3 - abs(k % 5 - 2)) : 1;
    const dim3 grid(ceil_div(width, 28 * 4), ceil_div(height, rows_per_warp));
    waiting_sums<1><<<grid, dim3(32, 4)>>>(gray, out, f, total, 1, width, height);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    mean(gray, out, width, height, false);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    mean(gray, out, width, height, true);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    Filter f;
    for (int k = 0; k < 25; k++) f.k[k] = filter25[k];
    const dim3 grid(ceil_div(3 * width, 20 * 4), ceil_div(height, rows_per_warp));
    waiting_sums<3><<<grid, dim3(32, 4)>>>(rgb, out, f, 0, divisor, 3 * width, height);
}
