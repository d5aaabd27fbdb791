// expect: finding race
// tasks: grayscale
// engine: simulator
// fault: memory of cudaMallocAsync is used in a stream that does not wait for the allocation.
#include "workbook.cuh"

__global__ void to_gray(const uint8_t* rgb, uint8_t* gray, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    cudaStream_t allocates, works;
    cudaStreamCreateWithFlags(&allocates, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&works, cudaStreamNonBlocking);
    uint8_t* scratch;
    cudaMallocAsync(&scratch, n, allocates);
    to_gray<<<ceil_div(n, 256), 256, 0, works>>>(rgb, scratch, n);  // <- here
    cudaMemcpyAsync(gray, scratch, n, cudaMemcpyDeviceToDevice, works);
    cudaStreamSynchronize(works);
    cudaFreeAsync(scratch, works);
    cudaStreamSynchronize(works);
    cudaStreamDestroy(allocates);
    cudaStreamDestroy(works);
}
