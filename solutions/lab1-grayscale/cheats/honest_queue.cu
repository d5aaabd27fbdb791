// expect: right grayscale
// expect on a GPU: right grayscale
// honest: blocks fetch rows from a queue, a counter in global memory, until none is left.
#include "workbook.cuh"

__device__ int next_row;

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    __shared__ int row;
    while (true) {
        if (threadIdx.x == 0) row = atomicAdd(&next_row, 1);
        __syncthreads();
        const int y = row;
        __syncthreads();
        if (y >= height) break;
        for (int x = threadIdx.x; x < width; x += blockDim.x) {
            const int i = y * width + x;
            gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
        }
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int zero = 0;
    WORKBOOK_CHECK(cudaMemcpyToSymbol(next_row, &zero, sizeof(zero)));
    gray_kernel<<<264, 512>>>(rgb, gray, width, height);
}
