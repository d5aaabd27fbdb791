// why: the kernel is launched with cudaLaunchKernel through a cast pointer, as older code does.
// tasks: grayscale
#include <cuda.h>
#include <inttypes.h>
#include <stdbool.h>
#include <time.h>
#include <vector_types.h>
#include <device_functions.h>
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int n) {
    uint i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (uint)n) return;
    ushort sum = 30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50;
    gray[i] = (uchar)(sum / 100);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    int n = width * height;
    cudaFuncAttributes attributes;
    WORKBOOK_CHECK(cudaFuncGetAttributes(&attributes, gray_kernel));
    cudaPointerAttributes where;
    WORKBOOK_CHECK(cudaPointerGetAttributes(&where, rgb));
    int version = 0;
    WORKBOOK_CHECK(cudaRuntimeGetVersion(&version));
    if (where.type != cudaMemoryTypeDevice || attributes.maxThreadsPerBlock < 128 || version < 9000)
        return;
    void* arguments[] = {(void*)&rgb, (void*)&gray, (void*)&n};
    dim3 grid((n + 127) / 128), block(128);
    WORKBOOK_CHECK(cudaLaunchKernel((const void*)gray_kernel, grid, block, arguments, 0, NULL));
}
