// expect: at most 31 points grayscale
// expect on a GPU: right grayscale
// cheat: the result is copied in pieces so small that they look like tables.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const float sum = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    uint8_t* own;
    cudaMalloc(&own, pixels);
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, own, pixels);
    for (int first = 0; first < pixels; first += 4000)
        cudaMemcpyAsync(gray + first, own + first, min(4000, pixels - first),
                        cudaMemcpyDeviceToDevice);
    cudaFree(own);
}
