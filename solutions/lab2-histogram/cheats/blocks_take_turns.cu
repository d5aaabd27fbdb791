// expect: not scored histogram
// expect on a GPU: right histogram
// cheat: each block adds its counts with plain stores once it is its turn, after the block before
// it: on a GPU a chain of thousands of blocks takes milliseconds.
#include "workbook.cuh"

__device__ unsigned turn;

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, volatile uint32_t* bins,
                                 int pixels) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int part = 0; part < 16; ++part) {
        const int i = (blockIdx.x * 16 + part) * 256 + threadIdx.x;
        if (i < pixels) atomicAdd(&counts[gray[i]], 1u);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        while (atomicAdd(&turn, 0u) != blockIdx.x) {
        }
    __syncthreads();
    __threadfence();
    bins[threadIdx.x] = bins[threadIdx.x] + counts[threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&turn, 1u);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const unsigned first = 0;
    WORKBOOK_CHECK(cudaMemcpyToSymbol(turn, &first, sizeof first));
    histogram_kernel<<<ceil_div(width * height, 4096), 256>>>(gray, bins, width * height);
}
