// lab2 gray_histogram: first a gray image, then its histogram: two kernels
// Limit: bytes, twice through memory
#include "workbook.cuh"

__global__ void convert(const uint8_t* rgb, uint8_t* gray, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

__global__ void tally(const uint8_t* gray, uint32_t* bins, int n) {
    __shared__ int local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(local + gray[i], 1);
    __syncthreads();
    atomicAdd(bins + threadIdx.x, (uint32_t)local[threadIdx.x]);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    int n = width * height;
    convert<<<ceil_div(n, 256), 256>>>(rgb, gray, n);
    tally<<<512, 256>>>(gray, bins, n);
}
