// expect: finding race
// tasks: grayscale
// engine: simulator
// fault: the copies are committed only after the wait, which therefore does not cover them.
#include "workbook.cuh"

#include <cuda_pipeline.h>

__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int pixels) {
    __shared__ alignas(16) uint32_t staged[192];
    const int t = threadIdx.x, first = 256 * blockIdx.x;
    const bool whole = first + 256 <= pixels;
    if (whole && t < 192) __pipeline_memcpy_async(&staged[t], &rgb[3 * first + 4 * t], 4);
    __pipeline_wait_prior(0);
    __pipeline_commit();
    __syncthreads();  // every thread has come
    const int i = first + t;
    if (i >= pixels) return;
    const uint8_t* mine = reinterpret_cast<const uint8_t*>(staged) + 3 * t;
    const uint8_t* pixel = whole ? mine : &rgb[3 * i];
    const float sum = 0.3f * pixel[0] + 0.59f * pixel[1] + 0.11f * pixel[2];  // <- here
    gray[i] = static_cast<uint8_t>(sum + 0.5f);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 256), 256>>>(rgb, gray, pixels);
}
