// family: columns
// style: each lane takes another row and walks along it for 64 pixels: an accountant's loop, rows as ledgers
// expected bottleneck: memory sectors: 32 lanes ask for 32 rows, a byte at a time
#include "workbook.cuh"

constexpr int run = 64;

template <bool color>
__global__ void ledgers(const uint8_t* in, uint8_t* gray, uint32_t* bins, int width, int height) {
    __shared__ uint32_t counts[256];
    for (int v = threadIdx.x; v < 256; v += blockDim.x) counts[v] = 0;
    __syncthreads();
    const int y = blockIdx.x * blockDim.x + threadIdx.x;
    const int from = blockIdx.y * run, to = min(from + run, width);
    if (y < height) {
        for (int x = from; x < to; x++) {
            const int p = y * width + x;
            int v = in[color ? 3 * p : p];
            if (color) {
                v = (30 * v + 59 * in[3 * p + 1] + 11 * in[3 * p + 2] + 50) / 100;
                gray[p] = v;
            }
            atomicAdd(&counts[v], 1u);
        }
    }
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += blockDim.x) atomicAdd(&bins[v], counts[v]);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    ledgers<false><<<dim3(ceil_div(height, 128), ceil_div(width, run)), 128>>>(gray, nullptr, bins,
                                                                               width, height);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    ledgers<true><<<dim3(ceil_div(height, 128), ceil_div(width, run)), 128>>>(rgb, gray, bins,
                                                                              width, height);
}
