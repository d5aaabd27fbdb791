// family: global atomics
// style: first attempt: a 2D grid of 32 x 4 blocks, one atomic in global memory per pixel
// expected bottleneck: atomics of the L2 on 256 addresses
#include "workbook.cuh"

__global__ void count_pixels(const uint8_t* gray, uint32_t* bins, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        atomicAdd(&bins[gray[y * width + x]], 1);
    }
}

__global__ void convert_and_count(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width,
                                  int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        int i = y * width + x;
        int v = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
        gray[i] = v;
        atomicAdd(&bins[v], 1);
    }
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    dim3 block(32, 4);
    dim3 grid(ceil_div(width, 32), ceil_div(height, 4));
    count_pixels<<<grid, block>>>(gray, bins, width, height);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    dim3 block(32, 4);
    dim3 grid(ceil_div(width, 32), ceil_div(height, 4));
    convert_and_count<<<grid, block>>>(rgb, gray, bins, width, height);
}
