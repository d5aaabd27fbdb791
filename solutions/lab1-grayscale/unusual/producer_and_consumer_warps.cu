// why: half of the warps fetch, the others compute; barriers of libcu++ are between them.
// tasks: grayscale
#include <cuda/barrier>
#include <cuda/std/cstdint>

#include "workbook.cuh"

using barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int half = 128;

__device__ void fetch(barrier* ready, barrier* filled, uint8_t (*buffer)[3 * half],
                      const uint8_t* rgb, int pixels) {
    int turn = 0;
    for (int first = blockIdx.x * half; first < pixels; first += gridDim.x * half, turn ^= 1) {
        ready[turn].arrive_and_wait();  // until the buffer is empty
        for (int j = threadIdx.x; j < 3 * half && 3 * first + j < 3 * pixels; j += half)
            buffer[turn][j] = rgb[3 * first + j];
        [[maybe_unused]] barrier::arrival_token token = filled[turn].arrive();
    }
}

__device__ void compute(barrier* ready, barrier* filled, const uint8_t (*buffer)[3 * half],
                        uint8_t* gray, int pixels) {
    const int lane = threadIdx.x - half;
    [[maybe_unused]] barrier::arrival_token first_token = ready[0].arrive();
    [[maybe_unused]] barrier::arrival_token second_token = ready[1].arrive();
    int turn = 0;
    for (int first = blockIdx.x * half; first < pixels; first += gridDim.x * half, turn ^= 1) {
        filled[turn].arrive_and_wait();
        const cuda::std::uint8_t* pixel = buffer[turn] + 3 * lane;
        if (first + lane < pixels)
            gray[first + lane] = (30 * pixel[0] + 59 * pixel[1] + 11 * pixel[2] + 50) / 100;
        [[maybe_unused]] barrier::arrival_token token = ready[turn].arrive();
    }
}

__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int pixels) {
    __shared__ uint8_t buffer[2][3 * half];
    __shared__ barrier barriers[4];
    if (threadIdx.x < 4) init(&barriers[threadIdx.x], 2 * half);
    __syncthreads();
    if (threadIdx.x < half)
        fetch(barriers, barriers + 2, buffer, rgb, pixels);
    else
        compute(barriers, barriers + 2, buffer, gray, pixels);
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    const int pixels = width * height;
    grayscale_kernel<<<min(ceil_div(pixels, half), 528), 2 * half>>>(rgb, gray, pixels);
}
