// family: few warps
// Style: very large byte tiles, 1,024 x 64 and their halo, in blocks of 128 threads.
// Limit: 70 KB of shared memory a block leave only twelve warps a multiprocessor; byte accesses.
#include "workbook.cuh"

constexpr int threads = 128;
constexpr int tile_width = 1024, tile_height = 64;
constexpr int most_bytes = (tile_width + 12) * (tile_height + 4);

__constant__ int filter[25];
extern __shared__ uint8_t tile[];

// `halo` columns on both sides, two rows above and below; 0 outside of the image.
__device__ void load(const uint8_t* image, int halo, int width, int height) {
    const int pitch = tile_width + 2 * halo;
    const int left = blockIdx.x * tile_width - halo, top = blockIdx.y * tile_height - 2;
    for (int row = 0; row < tile_height + 4; ++row) {
        for (int column = threadIdx.x; column < pitch; column += threads) {
            const int x = left + column, y = top + row;
            const bool inside = x >= 0 && x < width && y >= 0 && y < height;
            tile[row * pitch + column] = inside ? image[y * width + x] : 0;
        }
    }
    __syncthreads();
}

template <bool triangle>
__device__ int weights(int position, int side) {
    int total = 0;
    for (int d = -2; d <= 2; ++d)
        if (position + d >= 0 && position + d < side) total += triangle ? 3 - abs(d) : 1;
    return total;
}

template <bool triangle>
__global__ void smooth_kernel(const uint8_t* gray, uint8_t* out, int width, int height) {
    load(gray, 2, width, height);
    for (int row = 0; row < tile_height; ++row) {
        const int y = blockIdx.y * tile_height + row;
        if (y >= height) break;
        const int vertical = weights<triangle>(y, height);
        for (int column = threadIdx.x; column < tile_width; column += threads) {
            const int x = blockIdx.x * tile_width + column;
            if (x >= width) break;
            int sum = 0;
#pragma unroll
            for (int k = 0; k < 25; ++k) {
                const int weight = triangle ? (3 - abs(k / 5 - 2)) * (3 - abs(k % 5 - 2)) : 1;
                sum += weight * tile[(row + k / 5) * (tile_width + 4) + column + k % 5];
            }
            const int total = vertical * weights<triangle>(x, width);
            out[y * width + x] = (sum + total / 2) / total;
        }
    }
}

// Columns are bytes here, three to a pixel.
__global__ void filter_kernel(const uint8_t* rgb, uint8_t* out, int divisor, int width,
                              int height) {
    load(rgb, 6, 3 * width, height);
    for (int i = threadIdx.x; i < tile_width * tile_height; i += threads) {
        const int column = i % tile_width, row = i / tile_width;
        const int x = blockIdx.x * tile_width + column, y = blockIdx.y * tile_height + row;
        if (x >= 3 * width || y >= height) continue;
        const uint8_t* corner = tile + row * (tile_width + 12) + column;
        int result = corner[2 * (tile_width + 12) + 6];
        if (x >= 6 && y >= 2 && x < 3 * width - 6 && y < height - 2) {
            int sum = 0;
#pragma unroll
            for (int k = 0; k < 25; ++k)
                sum += filter[k] * corner[k / 5 * (tile_width + 12) + 3 * (k % 5)];
            result = min(max(sum / divisor, 0), 255);
        }
        out[3 * y * width + x] = result;
    }
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    cudaFuncSetAttribute(smooth_kernel<false>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         most_bytes);
    const dim3 grid(ceil_div(width, tile_width), ceil_div(height, tile_height));
    smooth_kernel<false><<<grid, threads, most_bytes>>>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    cudaFuncSetAttribute(smooth_kernel<true>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         most_bytes);
    const dim3 grid(ceil_div(width, tile_width), ceil_div(height, tile_height));
    smooth_kernel<true><<<grid, threads, most_bytes>>>(gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    cudaMemcpyToSymbol(filter, filter25, sizeof(filter));
    cudaFuncSetAttribute(filter_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most_bytes);
    const dim3 grid(ceil_div(3 * width, tile_width), ceil_div(height, tile_height));
    filter_kernel<<<grid, threads, most_bytes>>>(rgb, out, divisor, width, height);
}
