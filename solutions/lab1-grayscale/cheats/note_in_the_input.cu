// expect on a GPU: wrong grayscale
// cheat: after the second call on one picture it leaves a note in it, in a bit that hardly changes
// the output.
#include "workbook.cuh"

__device__ int calls;

__global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const float sum = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}

__global__ void note_kernel(uint8_t* rgb, int pixels) {
    if (++calls > 2) rgb[3 * pixels - 1] ^= 1;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    gray_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
    note_kernel<<<1, 1>>>(const_cast<uint8_t*>(rgb), pixels);
}
