// expect: finding race
// tasks: smooth_box, smooth_triangular
// engine: simulator
// fault: the tile is copied asynchronously; the barrier does not wait for the copies.
#include "workbook.cuh"

#include <cuda_pipeline.h>

template <bool triangular>
__device__ int weight_at(int d) {
    return triangular ? 3 - abs(d) : 1;
}

// Words of four pixels, where rows begin at a multiple of four bytes; else pixel by pixel.
template <bool triangular>
__global__ void smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                              int width, int height) {
    __shared__ alignas(4) uint8_t tile[12][40];
    const int left = blockIdx.x * 32 - 4, top = blockIdx.y * 8 - 2;
    const int x = left + 4 + threadIdx.x, y = top + 2 + threadIdx.y;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 12 * 10; i += 256) {
        const int column = left + 4 * (i % 10), row = top + i / 10;
        uint8_t* to = &tile[i / 10][4 * (i % 10)];
        if (width % 4 == 0 && column >= 0 && column < width && row >= 0 && row < height) {
            __pipeline_memcpy_async(to, &gray[row * width + column], 4);
            continue;
        }
        for (int k = 0; k < 4; ++k) {
            const bool inside = column + k >= 0 && column + k < width && row >= 0 && row < height;
            to[k] = inside ? gray[row * width + column + k] : 0;
        }
    }
    __pipeline_commit();
    __syncthreads();  // every thread has come
    if (x >= width || y >= height) return;
    int sum = 0, total = 0;
    for (int dy = -2; dy <= 2; ++dy) {
        for (int dx = -2; dx <= 2; ++dx) {
            const int weight = weight_at<triangular>(dx) * weight_at<triangular>(dy);
            sum += weight * tile[threadIdx.y + 2 + dy][threadIdx.x + 4 + dx];  // <- here
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height) total += weight;
        }
    }
    out[y * width + x] = (sum + total / 2) / total;
}

dim3 grid_for(int width, int height) { return dim3(ceil_div(width, 32), ceil_div(height, 8)); }

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth_kernel<false><<<grid_for(width, height), dim3(32, 8)>>>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth_kernel<true><<<grid_for(width, height), dim3(32, 8)>>>(gray, out, width, height);
}
