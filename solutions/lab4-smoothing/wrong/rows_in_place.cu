// expect: finding race
// tasks: smooth_box, smooth_triangular
// engine: simulator
// fault: columns are summed into the output, which the second half of the kernel reads again.
#include "workbook.cuh"

// Sums of five columns first, kept in `out` as bytes would not do: the mean of each row of five.
template <bool triangular>
__global__ void smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* out, int width,
                              int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const bool inside = x < width && y < height;
    if (inside) out[y * width + x] = gray[y * width + x];
    __syncthreads();  // the block has copied its pixels
    if (!inside) return;
    int sum = 0, total = 0;
    for (int dy = -2; dy <= 2; ++dy) {
        for (int dx = -2; dx <= 2; ++dx) {
            if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
            const int weight = triangular ? (3 - abs(dx)) * (3 - abs(dy)) : 1;
            sum += weight * out[(y + dy) * width + x + dx];  // <- here
            total += weight;
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
