// family: columns
// style: a student who swapped x and y: blocks of 4 x 64 threads whose first index runs down the image
// expected bottleneck: memory sectors: the lanes of a warp touch 32 rows, one pixel in each
#include "workbook.cuh"

__global__ void toGray(const unsigned char* in, unsigned char* out, int w, int h) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < h && col < w) {
        int p = row * w + col;
        float r = in[3 * p], g = in[3 * p + 1], b = in[3 * p + 2];
        out[p] = (unsigned char)(0.3f * r + 0.59f * g + 0.11f * b + 0.5f);
    }
}

__global__ void toDark(const unsigned char* in, unsigned char* out, int w, int h) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < h && col < w) {
        int p = row * w + col, n = w * h;
        float r = in[p], g = in[n + p], b = in[2 * n + p];
        out[p] = (unsigned char)((0.3f * r + 0.59f * g + 0.11f * b) * 0.6f + 0.5f);
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    dim3 block(64, 4);
    dim3 grid((height + 63) / 64, (width + 3) / 4);
    toGray<<<grid, block>>>(rgb, gray, width, height);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    dim3 block(64, 4);
    dim3 grid((height + 63) / 64, (width + 3) / 4);
    toDark<<<grid, block>>>(planar_rgb, gray, width, height);
}
