// family: atomics shared
// style: two-dimensional blocks of 40 x 6 threads, each block counts a window of 160 x 48 pixels in one shared histogram
// expected bottleneck: atomics in shared memory on neighbouring, equal levels
#include "workbook.cuh"

template <bool color>
__global__ void window_histogram(const uint8_t* in, uint8_t* gray, uint32_t* bins, int width,
                                 int height) {
    __shared__ uint32_t local[256];
    const int me = threadIdx.y * blockDim.x + threadIdx.x;
    const int threads = blockDim.x * blockDim.y;
    for (int v = me; v < 256; v += threads) local[v] = 0;
    __syncthreads();
    const int x0 = blockIdx.x * blockDim.x * 4, y0 = blockIdx.y * blockDim.y * 8;
    for (int y = y0 + threadIdx.y; y < min(y0 + (int)blockDim.y * 8, height); y += blockDim.y)
        for (int x = x0 + threadIdx.x; x < min(x0 + (int)blockDim.x * 4, width); x += blockDim.x) {
            const int p = y * width + x;
            int v;
            if (color) {
                v = (30 * in[3 * p] + 59 * in[3 * p + 1] + 11 * in[3 * p + 2] + 50) / 100;
                gray[p] = v;
            } else {
                v = in[p];
            }
            atomicAdd(&local[v], 1u);
        }
    __syncthreads();
    for (int v = me; v < 256; v += threads)
        if (local[v] != 0) atomicAdd(&bins[v], local[v]);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    dim3 block(40, 6), grid(ceil_div(width, 160), ceil_div(height, 48));
    window_histogram<false><<<grid, block>>>(gray, nullptr, bins, width, height);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    dim3 block(40, 6), grid(ceil_div(width, 160), ceil_div(height, 48));
    window_histogram<true><<<grid, block>>>(rgb, gray, bins, width, height);
}
