// expect: passed
// what `cudaMemGetInfo` tells can be allocated, and one byte more cannot.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    gray[i] = static_cast<uint8_t>(0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2] + 0.5f);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
    if (pixels > 1) return;  // once is enough
    size_t free_bytes, total, left;
    WORKBOOK_CHECK(cudaMemGetInfo(&free_bytes, &total));
    uint8_t* memory;
    uint8_t* more;
    WORKBOOK_CHECK(cudaMalloc(&memory, free_bytes - 1000));
    WORKBOOK_CHECK(cudaMemGetInfo(&left, &total));
    if (left != 1000 || cudaMalloc(&more, left + 1) != cudaErrorMemoryAllocation) exit(1);
    if (cudaMallocManaged(&more, left + 1) != cudaErrorMemoryAllocation) exit(2);
    cudaGetLastError();
    WORKBOOK_CHECK(cudaFree(memory));
}
