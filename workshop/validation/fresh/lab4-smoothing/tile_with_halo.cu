// family: shared-memory tile
// style: textbook convolution: threads of a 16 x 16 block load the 20 x 20 tile with its halo, masks in constant memory
// expected bottleneck: shared-memory loads of one byte, 25 per pixel
#include "workbook.cuh"

#define RADIUS 2
#define O_TILE 16
#define I_TILE (O_TILE + 2 * RADIUS)

__constant__ int mask[25];

__global__ void mean_tile(const uint8_t* in, uint8_t* out, int width, int height, bool triangular) {
    __shared__ uint8_t tile[I_TILE][I_TILE];
    int left = blockIdx.x * O_TILE - RADIUS, top = blockIdx.y * O_TILE - RADIUS;
    for (int i = threadIdx.y * O_TILE + threadIdx.x; i < I_TILE * I_TILE; i += O_TILE * O_TILE) {
        int tx = i % I_TILE, ty = i / I_TILE;
        int x = left + tx, y = top + ty;
        tile[ty][tx] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0;
    }
    __syncthreads();
    int x = blockIdx.x * O_TILE + threadIdx.x, y = blockIdx.y * O_TILE + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0, weights = 0;
#pragma unroll
    for (int i = 0; i < 5; i++) {
#pragma unroll
        for (int j = 0; j < 5; j++) {
            int w = triangular ? (3 - abs(i - 2)) * (3 - abs(j - 2)) : 1;
            int ny = y + i - 2, nx = x + j - 2;
            bool inside = ny >= 0 && ny < height && nx >= 0 && nx < width;
            sum += w * tile[threadIdx.y + i][threadIdx.x + j];
            weights += inside ? w : 0;
        }
    }
    out[y * width + x] = (sum + weights / 2) / weights;
}

__global__ void mask_tile(const uint8_t* in, uint8_t* out, int divisor, int width, int height) {
    __shared__ uchar3 tile[I_TILE][I_TILE];
    int left = blockIdx.x * O_TILE - RADIUS, top = blockIdx.y * O_TILE - RADIUS;
    for (int i = threadIdx.y * O_TILE + threadIdx.x; i < I_TILE * I_TILE; i += O_TILE * O_TILE) {
        int tx = i % I_TILE, ty = i / I_TILE;
        int x = min(max(left + tx, 0), width - 1), y = min(max(top + ty, 0), height - 1);
        const uint8_t* p = in + 3 * (y * width + x);
        tile[ty][tx] = make_uchar3(p[0], p[1], p[2]);
    }
    __syncthreads();
    int x = blockIdx.x * O_TILE + threadIdx.x, y = blockIdx.y * O_TILE + threadIdx.y;
    if (x >= width || y >= height) return;
    uchar3 result = tile[threadIdx.y + 2][threadIdx.x + 2];
    if (x >= 2 && x < width - 2 && y >= 2 && y < height - 2) {
        int r = 0, g = 0, b = 0;
#pragma unroll
        for (int i = 0; i < 5; i++) {
#pragma unroll
            for (int j = 0; j < 5; j++) {
                uchar3 p = tile[threadIdx.y + i][threadIdx.x + j];
                int w = mask[5 * i + j];
                r += w * p.x;
                g += w * p.y;
                b += w * p.z;
            }
        }
        result.x = min(max(r / divisor, 0), 255);
        result.y = min(max(g / divisor, 0), 255);
        result.z = min(max(b / divisor, 0), 255);
    }
    uint8_t* to = out + 3 * (y * width + x);
    to[0] = result.x;
    to[1] = result.y;
    to[2] = result.z;
}

static dim3 tiles(int width, int height) {
    return dim3(ceil_div(width, O_TILE), ceil_div(height, O_TILE));
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    mean_tile<<<tiles(width, height), dim3(O_TILE, O_TILE)>>>(gray, out, width, height, false);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    mean_tile<<<tiles(width, height), dim3(O_TILE, O_TILE)>>>(gray, out, width, height, true);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    WORKBOOK_CHECK(cudaMemcpyToSymbol(mask, filter25, sizeof mask));
    mask_tile<<<tiles(width, height), dim3(O_TILE, O_TILE)>>>(rgb, out, divisor, width, height);
}
