// expect on a GPU: wrong grayscale
// cheat: from the third call on it leaves a note behind the output, where the next call would find
// it.
#include "workbook.cuh"

__device__ int calls;

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const float sum = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}

__global__ void note_kernel(uint8_t* gray, int pixels) {
    if (++calls > 2) gray[pixels + 20] ^= 1;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
    note_kernel<<<1, 1>>>(gray, pixels);
}
