// family: temporary images
// Style: one small kernel a step: each channel is added to a float image, another rounds it.
// Limit: memory traffic: a temporary image of four bytes a pixel is written and read three times.
#include "workbook.cuh"

__global__ void start(const uint8_t* channel, int step, float weight, float* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = weight * channel[step * i];
}

__global__ void accumulate(const uint8_t* channel, int step, float weight, float* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] += weight * channel[step * i];
}

__global__ void finish(const float* sum, float factor, uint8_t* gray, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) gray[i] = (uint8_t)(sum[i] * factor + 0.5f);
}

// Channel c of pixel i is at first[c * next + step * i].
void add_up(const uint8_t* first, int next, int step, float factor, uint8_t* gray, int n) {
    const int block = 192, grid = ceil_div(n, block);
    float* sum;
    cudaMalloc(&sum, n * sizeof(float));
    start<<<grid, block>>>(first, step, 0.3f, sum, n);
    accumulate<<<grid, block>>>(first + next, step, 0.59f, sum, n);
    accumulate<<<grid, block>>>(first + 2 * next, step, 0.11f, sum, n);
    finish<<<grid, block>>>(sum, factor, gray, n);
    cudaFree(sum);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    add_up(rgb, 1, 3, 1.0f, gray, width * height);
}

void grayscale_darken(const uint8_t* planar_rgb, uint8_t* gray, int width, int height) {
    add_up(planar_rgb, width * height, 1, 0.6f, gray, width * height);
}
