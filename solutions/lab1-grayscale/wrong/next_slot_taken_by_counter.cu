// expect: mismatch grayscale
// tasks: grayscale
// fault: the counter that hands out pixels is never set back: the second call finds it used up.
#include "workbook.cuh"

__device__ unsigned next_piece;

// Blocks take pieces of 256 pixels until none is left.
__global__ void grayscale_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 int pixels) {
    __shared__ unsigned piece;
    while (true) {
        if (threadIdx.x == 0) piece = atomicAdd(&next_piece, 1u);
        __syncthreads();  // everybody knows the piece
        const long long i = 256LL * piece + threadIdx.x;
        if (256LL * piece >= pixels) return;
        if (i < pixels)
            gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
        __syncthreads();  // everybody has used the number
    }
}

void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    grayscale_kernel<<<64, 256>>>(rgb, gray, width * height);
}
