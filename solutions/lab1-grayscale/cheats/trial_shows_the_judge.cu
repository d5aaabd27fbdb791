// expect: at most 45 points grayscale
// expect on a GPU: right grayscale
// cheat: counts the blocks that ran before, and does little if some did not.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const float sum = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}

__global__ void count_kernel(unsigned* count) {
    if (threadIdx.x == 0) atomicAdd(count, 1u);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height, blocks = ceil_div(pixels, 256);
    unsigned *count, ran = 0;
    cudaMalloc(&count, sizeof(*count));
    cudaMemset(count, 0, sizeof(*count));
    count_kernel<<<blocks, 32>>>(count);
    cudaMemcpy(&ran, count, sizeof(ran), cudaMemcpyDeviceToHost);
    const int some = ran == unsigned(blocks) ? blocks : ceil_div(9 * width, 256);
    gray_kernel<<<some, 256>>>(rgb, gray, pixels);
    cudaFree(count);
}
