// expect: finding race
// tasks: grayscale
// engine: simulator
// fault: memory is given back in a stream that does not wait for the kernels that use it.
#include "workbook.cuh"

__global__ void to_gray(const uint8_t* rgb, uint8_t* gray, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    cudaStream_t works, frees;
    cudaStreamCreateWithFlags(&works, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&frees, cudaStreamNonBlocking);
    uint8_t* scratch;
    cudaMallocAsync(&scratch, n, works);
    cudaStreamSynchronize(works);
    to_gray<<<ceil_div(n, 256), 256, 0, works>>>(rgb, scratch, n);
    cudaMemcpyAsync(gray, scratch, n, cudaMemcpyDeviceToDevice, works);
    cudaFreeAsync(scratch, frees);  // <- here
    cudaStreamSynchronize(works);
    cudaStreamSynchronize(frees);
    cudaStreamDestroy(works);
    cudaStreamDestroy(frees);
}
