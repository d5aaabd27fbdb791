// expect: finding race
// tasks: smooth_box, smooth_triangular
// engine: simulator
// fault: the kernel copies the border first and reads it back through the read-only cache.
#include "workbook.cuh"

template <bool triangular>
__global__ void smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* out, int width,
                              int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int i = y * width + x;
    int sum = 0, total = 0;
    for (int dy = -2; dy <= 2; ++dy) {
        for (int dx = -2; dx <= 2; ++dx) {
            if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
            const int weight = triangular ? (3 - abs(dx)) * (3 - abs(dy)) : 1;
            sum += weight * gray[i + dy * width + dx];
            total += weight;
        }
    }
    out[i] = sum / total;
    if (sum % total >= total - total / 2) out[i] = __ldg(&out[i]) + 1;  // <- here
}

dim3 grid_for(int width, int height) { return dim3(ceil_div(width, 32), ceil_div(height, 8)); }

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth_kernel<false><<<grid_for(width, height), dim3(32, 8)>>>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth_kernel<true><<<grid_for(width, height), dim3(32, 8)>>>(gray, out, width, height);
}
