// family: tiny blocks
// Style: one pixel a thread in blocks of 8 x 4, a single warp each, rows of eight lanes.
// Limit: more than a million blocks to start, at most 32 warps on a multiprocessor.
#include "workbook.cuh"

__global__ void gray_8x4(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col < width && row < height) {
        int offset = row * width + col;
        float r = rgb[offset * 3 + 0];
        float g = rgb[offset * 3 + 1];
        float b = rgb[offset * 3 + 2];
        gray[offset] = __float2uint_rn(r * 0.3f + g * 0.59f + b * 0.11f);
    }
}

__global__ void dark_8x4(const uint8_t* planes, uint8_t* gray, int width, int height) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col < width && row < height) {
        int offset = row * width + col, plane = width * height;
        float sum = planes[offset] * 0.18f + planes[offset + plane] * 0.354f +
                    planes[offset + 2 * plane] * 0.066f;
        gray[offset] = __float2uint_rd(sum + 0.5f);
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    dim3 threads(8, 4);
    dim3 blocks(ceil_div(width, 8), ceil_div(height, 4));
    gray_8x4<<<blocks, threads>>>(rgb, gray, width, height);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    dim3 threads(8, 4);
    dim3 blocks(ceil_div(width, 8), ceil_div(height, 4));
    dark_8x4<<<blocks, threads>>>(planar_rgb, gray, width, height);
}
