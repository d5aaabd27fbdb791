// family: shared tile
// style: Ampere style: cp.async fills one of two buffers with the words around 12 rows while the other one is summed
// expected bottleneck: byte loads from shared memory, 25 per result
#include <cuda_pipeline.h>

#include "workbook.cuh"

constexpr int threads = 128, rows = 8, stages = 4;

struct Weights {
    int k[25];
};

// channels 1: a weighted mean. channels 3: a filter, whose border is copied.
template <int channels>
struct Tile {
    static constexpr int halo = 2 * channels;
    static constexpr int words = (threads + 2 * halo + 3 + 3) / 4;
    uint32_t word[2][rows + 4][words];
};

template <int channels>
__device__ void fetch(Tile<channels>& tile, int buffer, const uint8_t* in, int x0, int y0,
                      int pitch, int height) {
    using T = Tile<channels>;
    const int bytes = pitch * height;
    for (int i = threadIdx.x; i < (rows + 4) * T::words; i += threads) {
        const int r = i / T::words, w = i % T::words;
        const int y = y0 - 2 + r;
        const int at = ((y * pitch + x0 - T::halo) & ~3) + 4 * w;
        uint32_t* to = &tile.word[buffer][r][w];
        if (y >= 0 && y < height && at >= 0 && at < bytes)
            __pipeline_memcpy_async(to, in + at, 4, max(0, at + 4 - bytes));
        else
            *to = 0;
    }
    __pipeline_commit();
}

template <int channels>
__global__ void __launch_bounds__(threads) pipelined(const uint8_t* in, uint8_t* out, Weights f,
                                                     int divisor, int pitch, int height) {
    using T = Tile<channels>;
    __shared__ T tile;
    const int x0 = blockIdx.x * threads, x = x0 + threadIdx.x, top = blockIdx.y * rows * stages;
    fetch<channels>(tile, 0, in, x0, top, pitch, height);
    for (int s = 0; s < stages; s++) {
        const int y0 = top + s * rows;
        if (y0 >= height) break;
        if (s + 1 < stages) {
            fetch<channels>(tile, (s + 1) % 2, in, x0, y0 + rows, pitch, height);
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
        for (int r = 0; r < rows && x < pitch && y0 + r < height; r++) {
            const int y = y0 + r;
            int sum = 0, total = 0;
#pragma unroll
            for (int i = 0; i < 5; i++) {
                const int row = y + i - 2;
                const uint8_t* bytes = (const uint8_t*)tile.word[s % 2][r + i] +
                    ((row * pitch + x0 - T::halo) & 3) + threadIdx.x;
#pragma unroll
                for (int j = 0; j < 5; j++) {
                    const int column = x + channels * (j - 2);
                    if (channels == 3 || (column >= 0 && column < pitch && row >= 0 &&
                                          row < height)) {
                        sum += f.k[5 * i + j] * bytes[channels * j];
                        total += f.k[5 * i + j];
                    }
                }
            }
            int level;
            if (channels == 1) {
                level = (sum + total / 2) / total;
            } else if (x < T::halo || y < 2 || x >= pitch - T::halo || y >= height - 2) {
                level = ((const uint8_t*)tile.word[s % 2][r + 2])[((y * pitch + x0 - T::halo) & 3) +
                                                                  threadIdx.x + T::halo];
            } else {
                level = min(max(sum / divisor, 0), 255);
            }
            out[y * pitch + x] = level;
        }
        __syncthreads();
    }
}

template <int channels>
void start(const uint8_t* in, uint8_t* out, const Weights& f, int divisor, int pitch, int height) {
    pipelined<channels><<<dim3(ceil_div(pitch, threads), ceil_div(height, rows * stages)),
                          threads>>>(in, out, f, divisor, pitch, height);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    Weights f;
    for (int k = 0; k < 25; k++) f.k[k] = 1;
    start<1>(gray, out, f, 1, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    const Weights f = {{1, 2, 3, 2, 1, 2, 4, 6, 4, 2, 3, 6, 9, 6, 3, 2, 4, 6, 4, 2, 1, 2, 3, 2, 1}};
    start<1>(gray, out, f, 1, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    Weights f;
    memcpy(f.k, filter25, sizeof(f.k));
    start<3>(rgb, out, f, divisor, 3 * width, height);
}
