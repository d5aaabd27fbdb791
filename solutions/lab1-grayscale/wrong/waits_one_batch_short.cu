// expect: finding race
// tasks: grayscale
// engine: simulator
// fault: two batches are on their way, and the wait lets the last one, which is used, be late.
#include "workbook.cuh"

#include <cuda_pipeline.h>

constexpr int turns = 4;

// Each block converts four pieces of 128 pixels; the next piece is on its way meanwhile.
__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int pixels) {
    __shared__ alignas(16) uint32_t staged[2][96];
    const int t = threadIdx.x, piece = blockIdx.x * turns;
    auto fetch = [&](int turn) {
        const int byte = 3 * 128 * (piece + turn) + 4 * t;
        if (turn < turns && t < 96 && byte + 4 <= 3 * pixels)
            __pipeline_memcpy_async(&staged[turn % 2][t], &rgb[byte], 4);
        __pipeline_commit();
    };
    fetch(0);
    for (int turn = 0; turn < turns; ++turn) {
        fetch(turn + 1);
        __pipeline_wait_prior(2);  // 1 would be right
        __syncthreads();           // the piece is there
        const int i = 128 * (piece + turn) + t;
        if (i < pixels) {
            const uint8_t* mine = reinterpret_cast<const uint8_t*>(staged[turn % 2]) + 3 * t;
            const bool late = 3 * i + 3 > 3 * pixels / 4 * 4;
            const uint8_t* pixel = late ? &rgb[3 * i] : mine;
            const float sum = 0.3f * pixel[0] + 0.59f * pixel[1] + 0.11f * pixel[2];  // <- here
            gray[i] = static_cast<uint8_t>(sum + 0.5f);
        }
        __syncthreads();  // the piece is used
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<ceil_div(pixels, 128 * turns), 128>>>(rgb, gray, pixels);
}
