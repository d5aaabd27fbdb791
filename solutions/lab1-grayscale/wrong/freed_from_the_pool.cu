// expect: finding race
// tasks: grayscale
// engine: simulator
// fault: `cudaFree` does not wait for the work that uses memory of `cudaMallocAsync`.
#include "workbook.cuh"

__global__ void to_gray(const uint8_t* rgb, uint8_t* gray, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    uint8_t* scratch;
    cudaMallocAsync(&scratch, n, stream);
    to_gray<<<ceil_div(n, 256), 256, 0, stream>>>(rgb, scratch, n);
    cudaMemcpyAsync(gray, scratch, n, cudaMemcpyDeviceToDevice, stream);
    cudaFree(scratch);  // <- here
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}
