// expect: passed
// strided copies to host memory and back, with page-locked memory and a stream.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = static_cast<uint8_t>(0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2] + 0.5f);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    uint8_t* planes;
    WORKBOOK_CHECK(cudaMallocHost(&planes, 3 * static_cast<size_t>(pixels)));
    cudaStream_t stream;
    WORKBOOK_CHECK(cudaStreamCreate(&stream));
    WORKBOOK_CHECK(cudaMemcpy2DAsync(planes, 3, rgb, 3, 2, pixels, cudaMemcpyDeviceToHost, stream));
    WORKBOOK_CHECK(cudaMemcpy2DAsync(planes + 2, 3, rgb + 2, 3, 1, pixels, cudaMemcpyDeviceToHost, stream));
    WORKBOOK_CHECK(cudaStreamSynchronize(stream));
    WORKBOOK_CHECK(cudaMemcpy2DAsync(gray, 1, planes, 3, 1, pixels, cudaMemcpyHostToDevice, stream));
    WORKBOOK_CHECK(cudaStreamSynchronize(stream));
    WORKBOOK_CHECK(cudaStreamDestroy(stream));
    WORKBOOK_CHECK(cudaFreeHost(planes));
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
