// expect: finding memory
// tasks: histogram
// engine: simulator
// fault: a buffer that is kept from call to call has the size that the first picture needs.
#include "workbook.cuh"

__global__ void count(const uint8_t* gray, uint32_t* partial, int n) {
    __shared__ uint32_t counters[256];
    counters[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
        atomicAdd(&counters[gray[i]], 1u);
    }
    __syncthreads();
    partial[blockIdx.x * 256 + threadIdx.x] = counters[threadIdx.x];  // <- here
}

__global__ void add(const uint32_t* partial, uint32_t* bins, int blocks) {
    uint32_t sum = 0;
    for (int b = 0; b < blocks; ++b) sum += partial[b * 256 + threadIdx.x];
    bins[threadIdx.x] = sum;
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    static uint32_t* partial = nullptr;
    const int n = width * height, blocks = min(ceil_div(n, 256), 1024);
    if (!partial) cudaMalloc(&partial, blocks * 256 * sizeof(uint32_t));
    count<<<blocks, 256>>>(gray, partial, n);
    add<<<1, 256>>>(partial, bins, blocks);
}
