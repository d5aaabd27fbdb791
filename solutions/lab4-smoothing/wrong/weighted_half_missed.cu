// expect: mismatch smooth_triangular
// tasks: smooth_triangular
// fault: (total - 1) / 2 is half of an odd total only.
#include "workbook.cuh"

// (3 - |d|), or 1 for the box.
template <bool triangular>
__device__ int weight_at(int d) {
    return triangular ? 3 - abs(d) : 1;
}

template <bool triangular>
__global__ void smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                              int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0, total = 0;
    for (int dy = -2; dy <= 2; ++dy) {
        for (int dx = -2; dx <= 2; ++dx) {
            if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
            const int weight = weight_at<triangular>(dx) * weight_at<triangular>(dy);
            sum += weight * gray[(y + dy) * width + x + dx];
            total += weight;
        }
    }
    out[y * width + x] = (sum + (total - 1) / 2) / total;
}

dim3 grid_for(int width, int height) { return dim3(ceil_div(width, 32), ceil_div(height, 8)); }

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth_kernel<true><<<grid_for(width, height), dim3(32, 8)>>>(gray, out, width, height);
}
