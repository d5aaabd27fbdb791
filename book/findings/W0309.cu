// W0309: each block takes the pixels of its turn, but stores them at its number.
#include "workbook.cuh"

__device__ int level_of(const uint8_t* pixel) {
    return (30 * pixel[0] + 59 * pixel[1] + 11 * pixel[2] + 50) / 100;
}

__device__ int next_turn;

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    __shared__ int turn;
    if (threadIdx.x == 0) turn = atomicAdd(&next_turn, 1);
    __syncthreads();  // everybody knows the turn
    const int from = turn * blockDim.x + threadIdx.x;
    const int to = blockIdx.x * blockDim.x + threadIdx.x;
    if (from >= pixels || to >= pixels) return;
    gray[to] = level_of(rgb + 3 * from);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    const int zero = 0;
    cudaMemcpyToSymbol(next_turn, &zero, sizeof(zero));
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
