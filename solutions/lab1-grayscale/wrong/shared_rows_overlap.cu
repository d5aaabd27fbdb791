// expect: finding memory
// tasks: grayscale
// engine: simulator
// fault: a block stages 768 bytes in an array of 512: the rest lands in the next array.
#include "workbook.cuh"

__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int pixels) {
    __shared__ uint8_t staged[512];
    __shared__ float weighted[3 * 256];
    const int first = 256 * blockIdx.x, t = threadIdx.x;
    for (int k = t; k < 768 && 3 * first + k < 3 * pixels; k += 256)
        staged[k] = rgb[3 * first + k];
    __syncthreads();  // the bytes are there
    const float weights[3] = {0.3f, 0.59f, 0.11f};
    for (int c = 0; c < 3; ++c) weighted[3 * t + c] = weights[c] * staged[3 * t + c];  // <- here
    if (first + t >= pixels) return;
    gray[first + t] = weighted[3 * t] + weighted[3 * t + 1] + weighted[3 * t + 2] + 0.5f;
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
