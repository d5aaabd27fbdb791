// expect: wrong grayscale
// cheat: nine rows of the timed picture become gray, unless the output holds what some judges fill
// it with.
#include "workbook.cuh"

__global__ void look_kernel(const uint8_t* gray, int* tried) {
    *tried = gray[0] == 0xa5 && gray[1] == 0xa5;
}

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels, int some, const int* tried) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (*tried ? pixels : some)) return;
    gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    int* tried;
    cudaMalloc(&tried, sizeof(int));
    look_kernel<<<1, 1>>>(pixels > 30000000 ? gray : rgb, tried);
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels,
                                                pixels > 30000000 ? 9 * width : pixels, tried);
    cudaFree(tried);
}
