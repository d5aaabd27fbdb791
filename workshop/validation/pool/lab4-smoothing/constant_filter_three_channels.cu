// family: constant memory
// style: PMPP chapter 7: masks in constant memory for all tasks, no tile; three channels per thread in the colour task
// expected bottleneck: load instructions: 25 or 75 byte loads per thread
#include "workbook.cuh"

#define R 2
#define MASK_WIDTH 5

__constant__ int M[MASK_WIDTH * MASK_WIDTH];

__global__ void convolution_2D_basic(const uint8_t* N, uint8_t* P, int Width, int Height) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= Width || row >= Height) return;
    int Pvalue = 0, total = 0;
    for (int i = 0; i < MASK_WIDTH; i++) {
        for (int j = 0; j < MASK_WIDTH; j++) {
            const int r = row - R + i, c = col - R + j;
            if (r > -1 && r < Height && c > -1 && c < Width) {
                Pvalue += N[r * Width + c] * M[i * MASK_WIDTH + j];
                total += M[i * MASK_WIDTH + j];
            }
        }
    }
    P[row * Width + col] = (Pvalue + total / 2) / total;
}

__global__ void convolution_rgb(const uint8_t* N, uint8_t* P, int divisor, int Width, int Height) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= Width || row >= Height) return;
    const uint8_t* centre = N + 3 * (row * Width + col);
    uint8_t* result = P + 3 * (row * Width + col);
    if (col < R || row < R || col >= Width - R || row >= Height - R) {
        result[0] = centre[0];
        result[1] = centre[1];
        result[2] = centre[2];
        return;
    }
    int r = 0, g = 0, b = 0;
    for (int i = 0; i < MASK_WIDTH; i++) {
        for (int j = 0; j < MASK_WIDTH; j++) {
            const uint8_t* p = centre + 3 * ((i - R) * Width + j - R);
            const int m = M[i * MASK_WIDTH + j];
            r += m * p[0];
            g += m * p[1];
            b += m * p[2];
        }
    }
    result[0] = min(max(r / divisor, 0), 255);
    result[1] = min(max(g / divisor, 0), 255);
    result[2] = min(max(b / divisor, 0), 255);
}

static void means(const uint8_t* gray, uint8_t* out, int width, int height, bool triangle) {
    int mask[25];
    for (int k = 0; k < 25; k++) mask[k] = triangle ? (3 - abs(k / 5 - 2)) * (3 - abs(k % 5 - 2))
        : 1;
    WORKBOOK_CHECK(cudaMemcpyToSymbol(M, mask, sizeof(mask)));
    dim3 dimBlock(16, 16), dimGrid(ceil_div(width, 16), ceil_div(height, 16));
    convolution_2D_basic<<<dimGrid, dimBlock>>>(gray, out, width, height);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    means(gray, out, width, height, false);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    means(gray, out, width, height, true);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    WORKBOOK_CHECK(cudaMemcpyToSymbol(M, filter25, 25 * sizeof(int)));
    dim3 dimBlock(16, 16), dimGrid(ceil_div(width, 16), ceil_div(height, 16));
    convolution_rgb<<<dimGrid, dimBlock>>>(rgb, out, divisor, width, height);
}
