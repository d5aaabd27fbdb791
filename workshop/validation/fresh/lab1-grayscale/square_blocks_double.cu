// family: one pixel per thread
// style: first attempt, square 16 x 16 blocks, coefficients typed as on the task sheet (double literals)
// expected bottleneck: double-precision arithmetic and conversions, then byte-wide accesses
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    if (x >= width || y >= height) return;
    int i = y * width + x;
    double v = 0.3 * rgb[3 * i] + 0.59 * rgb[3 * i + 1] + 0.11 * rgb[3 * i + 2];
    gray[i] = (uint8_t)(v + 0.5);
}

__global__ void dark_kernel(const uint8_t* r, const uint8_t* g, const uint8_t* b, uint8_t* gray,
                            int width, int height) {
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    if (x >= width || y >= height) return;
    int i = y * width + x;
    gray[i] = (uint8_t)((0.3 * r[i] + 0.59 * g[i] + 0.11 * b[i]) * 0.6 + 0.5);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    dim3 block(16, 16), grid(ceil_div(width, 16), ceil_div(height, 16));
    gray_kernel<<<grid, block>>>(rgb, gray, width, height);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    int n = width * height;
    dim3 block(16, 16), grid(ceil_div(width, 16), ceil_div(height, 16));
    dark_kernel<<<grid, block>>>(planar_rgb, planar_rgb + n, planar_rgb + 2 * n, gray, width,
                                 height);
}
