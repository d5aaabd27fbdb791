// family: shared tile
// style: rows of 33 floats, because someone heard of bank conflicts: 29 x 28 results from a tile of 33 x 32
// expected bottleneck: shared memory loads of floats, 25 per result; threads without a result
#include "workbook.cuh"

constexpr int pitch = 33, tile_rows = 32, results_x = pitch - 4, results_y = tile_rows - 4;

template <class Load>
__device__ void fill(float (*tile)[pitch], Load load) {
    const int x0 = blockIdx.x * results_x - 2, y0 = blockIdx.y * results_y - 2;
    for (int k = threadIdx.x; k < tile_rows * pitch; k += blockDim.x)
        tile[k / pitch][k % pitch] = load(x0 + k % pitch, y0 + k / pitch);
    __syncthreads();
}

__global__ void mean33(const uint8_t* gray, uint8_t* out, int width, int height, float centre) {
    __shared__ float tile[tile_rows][pitch];
    fill(tile, [=](int x, int y) { return x >= 0 && y >= 0 && x < width && y < height
        ? (float)gray[y * width + x] : -1.0f; });
    for (int k = threadIdx.x; k < results_y * results_x; k += blockDim.x) {
        const int tx = k % results_x, ty = k / results_x;
        const int x = blockIdx.x * results_x + tx, y = blockIdx.y * results_y + ty;
        if (x >= width || y >= height) continue;
        float sum = 0.0f, weight = 0.0f;
#pragma unroll
        for (int dy = 0; dy < 5; dy++)
#pragma unroll
            for (int dx = 0; dx < 5; dx++) {
                const float value = tile[ty + dy][tx + dx];
                const float w = centre == 0.0f ? 1.0f
                    : (centre - abs(dx - 2)) * (centre - abs(dy - 2));
                if (value >= 0.0f) {
                    sum += w * value;
                    weight += w;
                }
            }
        out[y * width + x] = (uint8_t)((sum + floorf(weight * 0.5f)) / weight);
    }
}

__global__ void filter33(const uint8_t* rgb, uint8_t* out, const int* filter, int divisor,
                         int width, int height) {
    __shared__ float tile[tile_rows][pitch];
    __shared__ float f[25];
    if (threadIdx.x < 25) f[threadIdx.x] = filter[threadIdx.x];
    const int c = blockIdx.z;
    fill(tile, [=](int x, int y) { return x >= 0 && y >= 0 && x < width && y < height
        ? (float)rgb[3 * (y * width + x) + c] : 0.0f; });
    for (int k = threadIdx.x; k < results_y * results_x; k += blockDim.x) {
        const int tx = k % results_x, ty = k / results_x;
        const int x = blockIdx.x * results_x + tx, y = blockIdx.y * results_y + ty;
        if (x >= width || y >= height) continue;
        int level = (int)tile[ty + 2][tx + 2];
        if (x >= 2 && y >= 2 && x < width - 2 && y < height - 2) {
            float sum = 0.0f;  // whole and below 2^24
            for (int i = 0; i < 25; i++) sum += f[i] * tile[ty + i / 5][tx + i % 5];
            level = max(0, min(255, (int)sum / divisor));
        }
        out[3 * (y * width + x) + c] = level;
    }
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    mean33<<<dim3(ceil_div(width, results_x), ceil_div(height, results_y)), 256>>>(gray, out, width,
                                                                                   height, 0.0f);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    mean33<<<dim3(ceil_div(width, results_x), ceil_div(height, results_y)), 256>>>(gray, out, width,
                                                                                   height, 3.0f);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    int* filter;
    WORKBOOK_CHECK(cudaMalloc(&filter, 25 * sizeof(int)));
    WORKBOOK_CHECK(cudaMemcpy(filter, filter25, 25 * sizeof(int), cudaMemcpyHostToDevice));
    const dim3 grid(ceil_div(width, results_x), ceil_div(height, results_y), 3);
    filter33<<<grid, 256>>>(rgb, out, filter, divisor, width, height);
    WORKBOOK_CHECK(cudaFree(filter));
}
