// why: `cudaLaunchKernelEx` with an attribute that lets the kernel begin early.
// tasks: grayscale
#include "workbook.cuh"
__device__ __forceinline__ uint8_t gray_of(int r, int g, int b) {
    return (30 * r + 59 * g + 11 * b + 50) / 100;
}

__global__ void k(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    cudaGridDependencySynchronize();
    if (i < pixels) gray[i] = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
    cudaTriggerProgrammaticLaunchCompletion();
}
void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(ceil_div(pixels, 256)); config.blockDim = dim3(256);
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
    config.attrs = attribute; config.numAttrs = 1;
    cudaLaunchKernelEx(&config, k, rgb, gray, pixels);
}
