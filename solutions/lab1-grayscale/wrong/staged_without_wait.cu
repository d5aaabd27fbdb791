// expect: finding race
// tasks: grayscale
// engine: simulator
// fault: the bytes are copied to shared memory asynchronously, and nobody waits for them.
#include "workbook.cuh"

#include <cuda_pipeline.h>

__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int pixels) {
    __shared__ alignas(16) uint8_t staged[3 * 256];
    const int first = blockIdx.x * 256, t = threadIdx.x;
    const bool whole = first + 256 <= pixels;
    if (whole && t < 48) {
        __pipeline_memcpy_async(&staged[16 * t], &rgb[3 * first + 16 * t], 16);
        __pipeline_commit();
    }
    __syncthreads();  // a barrier does not wait for the copies
    const int i = first + t;
    if (i >= pixels) return;
    const uint8_t* pixel = whole ? &staged[3 * t] : &rgb[3 * i];
    const float sum = 0.3f * pixel[0] + 0.59f * pixel[1] + 0.11f * pixel[2];  // <- here
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
