// family: columns
// style: a student who swapped x and y in a stencil: threadIdx.x runs down the rows, 25 loads per pixel
// expected bottleneck: memory sectors and L1: each of 25 loads touches 32 rows
#include "workbook.cuh"

__global__ void mean5(const unsigned char* in, unsigned char* out, int w, int h, int triangle) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    int x = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int sum = 0, weights = 0;
    for (int dy = -2; dy <= 2; dy++) {
        for (int dx = -2; dx <= 2; dx++) {
            int yy = y + dy, xx = x + dx;
            if (yy >= 0 && yy < h && xx >= 0 && xx < w) {
                int k = triangle ? (3 - abs(dx)) * (3 - abs(dy)) : 1;
                sum += k * in[yy * w + xx];
                weights += k;
            }
        }
    }
    out[y * w + x] = (sum + weights / 2) / weights;
}

__global__ void filter5(const unsigned char* in, unsigned char* out, const int* f, int divisor,
                        int w, int h) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    int x = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    for (int c = 0; c < 3; c++) {
        int at = 3 * (y * w + x) + c;
        if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2) {
            out[at] = in[at];
            continue;
        }
        int sum = 0;
        for (int dy = -2; dy <= 2; dy++)
            for (int dx = -2; dx <= 2; dx++)
                sum += f[5 * (dy + 2) + dx + 2] * in[at + 3 * (dy * w + dx)];
        sum /= divisor;
        out[at] = sum < 0 ? 0 : sum > 255 ? 255 : sum;
    }
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    dim3 block(32, 4), grid((height + 31) / 32, (width + 3) / 4);
    mean5<<<grid, block>>>(gray, out, width, height, 0);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    dim3 block(32, 4), grid((height + 31) / 32, (width + 3) / 4);
    mean5<<<grid, block>>>(gray, out, width, height, 1);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    int* f;
    cudaMalloc(&f, 100);
    cudaMemcpy(f, filter25, 100, cudaMemcpyHostToDevice);
    dim3 block(32, 4), grid((height + 31) / 32, (width + 3) / 4);
    filter5<<<grid, block>>>(rgb, out, f, divisor, width, height);
    cudaFree(f);
}
