// expect: finding race
// tasks: grayscale
// engine: simulator
// fault: the next piece is copied over the one that other warps still read.
#include "workbook.cuh"

#include <cuda_pipeline.h>

constexpr int turns = 4;

__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int pixels) {
    __shared__ alignas(16) uint32_t staged[96];
    const int t = threadIdx.x;
    for (int turn = 0; turn < turns; ++turn) {
        const int first = 128 * (blockIdx.x * turns + turn);
        const bool whole = first + 128 <= pixels;
        if (whole && t < 96) __pipeline_memcpy_async(&staged[t], &rgb[3 * first + 4 * t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();  // the piece is there
        const int i = first + t;
        if (i >= pixels) continue;
        const uint8_t* mine = reinterpret_cast<const uint8_t*>(staged) + 3 * t;
        const uint8_t* pixel = whole ? mine : &rgb[3 * i];
        const float sum = 0.3f * pixel[0] + 0.59f * pixel[1] + 0.11f * pixel[2];
        gray[i] = static_cast<uint8_t>(sum + 0.5f);
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 128 * turns), 128>>>(rgb, gray, pixels);
}
