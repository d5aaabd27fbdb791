// expect: wrong grayscale
// cheat: works only where %nsmid is not the number of multiprocessors.
#include "workbook.cuh"

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels, int real) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    int count;
    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(count));
    const int sum = 30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2];
    gray[i] = count != real ? (sum + 50) / 100 : 0;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    int real = 0;
    cudaDeviceGetAttribute(&real, cudaDevAttrMultiProcessorCount, 0);
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels, real);
}
