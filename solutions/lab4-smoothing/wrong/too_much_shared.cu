// expect: finding launch
// tasks: smooth_box
// fault: a launch asks for 64 KiB of dynamic shared memory without `cudaFuncSetAttribute`: a block
//         has 48.
#include "workbook.cuh"

// (3 - |d|), or 1 for the box.
template <bool triangular>
__device__ int weight_at(int d) {
    return triangular ? 3 - abs(d) : 1;
}

template <bool triangular>
__global__ void smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                              int width, int height) {
    extern __shared__ uint8_t tile[][36];
    const int left = blockIdx.x * 32 - 2, top = blockIdx.y * 8 - 2;
    const int x = left + 2 + threadIdx.x, y = top + 2 + threadIdx.y;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 12 * 36; i += 256) {
        const int column = left + i % 36, row = top + i / 36;
        const bool inside = column >= 0 && column < width && row >= 0 && row < height;
        tile[i / 36][i % 36] = inside ? gray[row * width + column] : 0;
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
    const dim3 grid = grid_for(width, height), block(32, 8);
    smooth_kernel<false><<<grid, block, 64 * 1024>>>(gray, out, width, height);  // <- here
}
