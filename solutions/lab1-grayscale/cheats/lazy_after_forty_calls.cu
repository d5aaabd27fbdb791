// expect on a GPU: wrong grayscale
// cheat: a variable counts the calls, and from the fortieth on only every second pixel becomes
// gray.
#include "workbook.cuh"

__device__ unsigned int calls;

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels || (calls > 40 && i % 2 == 1)) return;
    const float sum = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}

__global__ void count_kernel() { ++calls; }

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
    count_kernel<<<1, 1>>>();
}
