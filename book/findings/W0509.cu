// W0509: a cooperative launch with more blocks than the GPU holds.
#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__device__ int total;

__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicMax(&total, rgb[3 * i]);
    cg::this_grid().sync();
    if (i < pixels) gray[i] = total;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    int pixels = width * height;
    void* arguments[] = {&rgb, &gray, &pixels};
    const int blocks = 100000;
    cudaLaunchCooperativeKernel(grayscale_kernel, dim3(blocks), dim3(256), arguments);
}
