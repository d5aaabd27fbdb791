// family: ring of rows in shared memory
// style: a signal-processing student: 224 threads keep the last five rows in a ring and emit one row per step
// expected bottleneck: two barriers per row, with a global load between them
#include "workbook.cuh"

constexpr int threads = 224;
constexpr int rows_per_block = 12;

// RADIUS_BYTES: how far a neighbour two columns away is, in bytes.
template <int RADIUS_BYTES>
struct Ring {
    uint8_t row[5][threads + 2 * RADIUS_BYTES];

    __device__ void load(const uint8_t* in, int y, int row_bytes, int height) {
        int left = blockIdx.x * threads - RADIUS_BYTES;
        uint8_t* to = row[(y + 5) % 5];
        for (int k = threadIdx.x; k < threads + 2 * RADIUS_BYTES; k += threads) {
            int x = left + k;
            bool inside = y >= 0 && y < height && x >= 0 && x < row_bytes;
            to[k] = inside ? in[(size_t)y * row_bytes + x] : 0;
        }
    }

    __device__ int at(int y, int offset) const { return row[(y + 5) % 5][threadIdx.x + RADIUS_BYTES + offset]; }
};

template <bool TENT>
__global__ void mean_rows(const uint8_t* in, uint8_t* out, int width, int height) {
    __shared__ Ring<2> ring;
    int x = blockIdx.x * threads + threadIdx.x;
    int begin = blockIdx.y * rows_per_block;
    int end = min(begin + rows_per_block, height);
    for (int y = begin - 2; y < begin + 2; y++) ring.load(in, y, width, height);
    for (int y = begin; y < end; y++) {
        ring.load(in, y + 2, width, height);
        __syncthreads();
        if (x < width) {
            int sum = 0, wx = 0, wy = 0;
#pragma unroll
            for (int d = -2; d <= 2; d++) {
                int w = TENT ? 3 - abs(d) : 1;
                if (x + d >= 0 && x + d < width) wx += w;
                if (y + d >= 0 && y + d < height) wy += w;
                int across = TENT ? ring.at(y + d, -2) + 2 * ring.at(y + d, -1) + 3 * ring.at(y + d, 0) +
                                        2 * ring.at(y + d, 1) + ring.at(y + d, 2)
                                  : ring.at(y + d, -2) + ring.at(y + d, -1) + ring.at(y + d, 0) +
                                        ring.at(y + d, 1) + ring.at(y + d, 2);
                sum += w * across;
            }
            int weight = wx * wy;
            out[(size_t)y * width + x] = (sum + weight / 2) / weight;
        }
        __syncthreads();
    }
}

__constant__ int fir[25];

__global__ void filter_rows(const uint8_t* in, uint8_t* out, int divisor, int row_bytes, int height) {
    __shared__ Ring<6> ring;
    int x = blockIdx.x * threads + threadIdx.x;
    int begin = blockIdx.y * rows_per_block;
    int end = min(begin + rows_per_block, height);
    for (int y = begin - 2; y < begin + 2; y++) ring.load(in, y, row_bytes, height);
    for (int y = begin; y < end; y++) {
        ring.load(in, y + 2, row_bytes, height);
        __syncthreads();
        if (x < row_bytes) {
            int level = ring.at(y, 0);
            if (x >= 6 && x < row_bytes - 6 && y >= 2 && y < height - 2) {
                int sum = 0;
                for (int i = 0; i < 5; i++)
                    for (int j = 0; j < 5; j++) sum += fir[5 * i + j] * ring.at(y + i - 2, 3 * j - 6);
                sum /= divisor;
                level = sum < 0 ? 0 : sum > 255 ? 255 : sum;
            }
            out[(size_t)y * row_bytes + x] = level;
        }
        __syncthreads();
    }
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    dim3 grid(ceil_div(width, threads), ceil_div(height, rows_per_block));
    mean_rows<false><<<grid, threads>>>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    dim3 grid(ceil_div(width, threads), ceil_div(height, rows_per_block));
    mean_rows<true><<<grid, threads>>>(gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    WORKBOOK_CHECK(cudaMemcpyToSymbol(fir, filter25, sizeof fir));
    dim3 grid(ceil_div(3 * width, threads), ceil_div(height, rows_per_block));
    filter_rows<<<grid, threads>>>(rgb, out, divisor, 3 * width, height);
}
