// why: memory in the order of streams: used in a second one after an event, freed after another.
// tasks: grayscale
#include "workbook.cuh"

__global__ void to_gray(const uint8_t* rgb, uint8_t* gray, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int n = width * height;
    cudaStream_t first, second;
    cudaEvent_t allocated, used;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreate(&allocated);
    cudaEventCreate(&used);
    uint8_t* scratch;
    cudaMallocAsync(&scratch, n, first);
    cudaEventRecord(allocated, first);
    cudaStreamWaitEvent(second, allocated, 0);
    to_gray<<<ceil_div(n, 256), 256, 0, second>>>(rgb, scratch, n);
    cudaMemcpyAsync(gray, scratch, n, cudaMemcpyDeviceToDevice, second);
    cudaEventRecord(used, second);
    cudaStreamWaitEvent(first, used, 0);
    cudaFreeAsync(scratch, first);
    cudaStreamSynchronize(first);
    cudaEventDestroy(allocated);
    cudaEventDestroy(used);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}
