// family: shared tile
// style: dynamic shared memory split in two by hand: bytes of the tile, then sums of its rows as 16-bit numbers; blocks of 64 x 16
// expected bottleneck: shared memory and the barriers between load, rows and columns
#include "workbook.cuh"

constexpr int bx = 64, by = 16;

// Divides by the weights that lie in the image.
__device__ int weight_of(int i, int size, bool triangle) {
    int sum = 0;
    for (int d = -2; d <= 2; d++)
        if (i + d >= 0 && i + d < size) sum += triangle ? 3 - abs(d) : 1;
    return sum;
}

template <bool triangle>
__global__ void separable(const uint8_t* gray, uint8_t* out, int width, int height) {
    extern __shared__ unsigned char raw[];
    unsigned char* tile = raw;                                            // (by + 4) x (bx + 4)
    unsigned short* sums = (unsigned short*)(raw + (by + 4) * (bx + 4));  // (by + 4) x bx
    const int x0 = blockIdx.x * bx, y0 = blockIdx.y * by;
    for (int r = threadIdx.y; r < by + 4; r += blockDim.y)
        for (int c = threadIdx.x; c < bx + 4; c += blockDim.x) {
            const int x = x0 + c - 2, y = y0 + r - 2;
            tile[r * (bx + 4) + c] = x >= 0 && y >= 0 && x < width && y < height
                ? gray[y * width + x] : 0;
        }
    __syncthreads();
    for (int r = threadIdx.y; r < by + 4; r += blockDim.y) {
        const unsigned char* p = tile + r * (bx + 4) + threadIdx.x;
        sums[r * bx + threadIdx.x] =
            triangle ? p[0] + 2 * p[1] + 3 * p[2] + 2 * p[3] + p[4]
                : p[0] + p[1] + p[2] + p[3] + p[4];
    }
    __syncthreads();
    const int x = x0 + threadIdx.x;
    for (int r = threadIdx.y; r < by; r += blockDim.y) {
        const int y = y0 + r;
        if (x >= width || y >= height) continue;
        const unsigned short* s = sums + r * bx + threadIdx.x;
        const int sum = triangle ? s[0] + 2 * s[bx] + 3 * s[2 * bx] + 2 * s[3 * bx] + s[4 * bx]
                                 : s[0] + s[bx] + s[2 * bx] + s[3 * bx] + s[4 * bx];
        const int weight = weight_of(x, width, triangle) * weight_of(y, height, triangle);
        out[y * width + x] = (sum + weight / 2) / weight;
    }
}

__global__ void color_tile(const uint8_t* rgb, uint8_t* out, const int* filter, int divisor,
                           int width, int height) {
    extern __shared__ unsigned char raw[];
    constexpr int pitch = 3 * (bx + 4);
    const int x0 = blockIdx.x * bx, y0 = blockIdx.y * by;
    for (int r = threadIdx.y; r < by + 4; r += blockDim.y)
        for (int c = threadIdx.x; c < pitch; c += blockDim.x) {
            const int x = 3 * (x0 - 2) + c, y = y0 + r - 2;
            raw[r * pitch + c] = x >= 0 && y >= 0 && x < 3 * width && y < height
                ? rgb[3 * y * width + x] : 0;
        }
    __syncthreads();
    for (int r = threadIdx.y; r < by; r += blockDim.y)
        for (int c = threadIdx.x; c < 3 * bx; c += blockDim.x) {
            const int x = x0 + c / 3, y = y0 + r;
            if (x >= width || y >= height) continue;
            int level = raw[(r + 2) * pitch + c + 6];
            if (x >= 2 && y >= 2 && x < width - 2 && y < height - 2) {
                int sum = 0;
#pragma unroll
                for (int k = 0; k < 25; k++) sum += __ldg(filter + k)
                    * raw[(r + k / 5) * pitch + c + 3 * (k % 5)];
                level = min(max(sum / divisor, 0), 255);
            }
            out[3 * (y * width + x0) + c] = level;
        }
}

template <bool triangle>
void means(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int bytes = (by + 4) * (bx + 4) + 2 * (by + 4) * bx;
    separable<triangle><<<dim3(ceil_div(width, bx), ceil_div(height, by)), dim3(bx, 4),
                          bytes>>>(gray, out, width, height);
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
    const dim3 grid(ceil_div(width, bx), ceil_div(height, by));
    color_tile<<<grid, dim3(bx, 4), (by + 4) * 3 * (bx + 4)>>>(rgb, out, filter, divisor, width,
                                                               height);
    WORKBOOK_CHECK(cudaFree(filter));
}
