// expect: finding memory
// tasks: smooth_box, smooth_triangular
// engine: simulator
// fault: the tile has no room for the halo: rows 8 to 11 of it lie past its end.
#include "workbook.cuh"

// (3 - |d|), or 1 for the box.
template <bool triangular>
__device__ int weight_at(int d) {
    return triangular ? 3 - abs(d) : 1;
}

template <bool triangular>
__global__ void smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                              int width, int height) {
    __shared__ uint8_t tile[8][36];
    const int left = blockIdx.x * 32 - 2, top = blockIdx.y * 8 - 2;
    const int x = left + 2 + threadIdx.x, y = top + 2 + threadIdx.y;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 12 * 36; i += 256) {
        const int column = left + i % 36, row = top + i / 36;
        const bool inside = column >= 0 && column < width && row >= 0 && row < height;
        tile[i / 36][i % 36] = inside ? gray[row * width + column] : 0;  // <- here
    }
    __syncthreads();  // tile and halo are in shared memory
    if (x >= width || y >= height) return;
    int sum = 0, total = 0;
    for (int dy = -2; dy <= 2; ++dy) {
        for (int dx = -2; dx <= 2; ++dx) {
            const int weight = weight_at<triangular>(dx) * weight_at<triangular>(dy);
            sum += weight * tile[threadIdx.y + 2 + dy][threadIdx.x + 2 + dx];
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
