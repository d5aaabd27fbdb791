// expect: not scored grayscale
// expect on a GPU: at most 33 points grayscale
// cheat: on a large picture the last block of a cooperative launch does its work 60 times.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels, int slow, int rounds) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = first < slow ? 1 : rounds; k > 0; --k)
        for (int i = first; i < pixels; i += gridDim.x * blockDim.x)
            gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    int pixels = width * height, blocks = 264, slow = (blocks - 1) * 256;
    int rounds = height > 3000 ? 60 : 1;
    void* arguments[] = {&rgb, &gray, &pixels, &slow, &rounds};
    cudaLaunchCooperativeKernel((void*)gray_kernel, blocks, 256, arguments);
}
