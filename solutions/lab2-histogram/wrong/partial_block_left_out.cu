// expect: mismatch histogram
// tasks: histogram
// fault: the second kernel adds the sums of whole blocks only: the last, ragged one is left out.
#include "workbook.cuh"

constexpr int per_block = 4096;

__global__ void partial(const uint8_t* gray, uint32_t* sums, int n) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    const int end = min(n, (int)(blockIdx.x + 1) * per_block);
    for (int i = blockIdx.x * per_block + threadIdx.x; i < end; i += 256)
        atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();
    sums[blockIdx.x * 256 + threadIdx.x] = counts[threadIdx.x];
}

__global__ void total(const uint32_t* sums, uint32_t* bins, int blocks) {
    uint32_t count = 0;
    for (int b = 0; b < blocks; ++b) count += sums[b * 256 + threadIdx.x];
    bins[threadIdx.x] = count;
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height, blocks = ceil_div(n, per_block);
    uint32_t* sums;
    cudaMalloc(&sums, blocks * 256 * sizeof(uint32_t));
    partial<<<blocks, 256>>>(gray, sums, n);
    total<<<1, 256>>>(sums, bins, max(n / per_block, 1));
    cudaFree(sums);
}
