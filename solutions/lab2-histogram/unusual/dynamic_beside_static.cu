// why: dynamic shared memory beside a static flag whose size is no multiple of 16.
// tasks: histogram
#include "workbook.cuh"

__device__ unsigned int finished = 0;

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* partial, uint32_t* bins, int n) {
    extern __shared__ uint32_t counts[];
    __shared__ bool last;
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();
    partial[blockIdx.x * 256 + threadIdx.x] = counts[threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    __threadfence();
    uint32_t sum = 0;
    for (int block = 0; block < gridDim.x; ++block) sum += partial[block * 256 + threadIdx.x];
    bins[threadIdx.x] = sum;
    if (threadIdx.x == 0) finished = 0;
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height, blocks = min(ceil_div(n, 256), 64);
    uint32_t* partial;
    WORKBOOK_CHECK(cudaMalloc(&partial, blocks * 256 * sizeof(uint32_t)));
    histogram_kernel<<<blocks, 256, 256 * sizeof(uint32_t)>>>(gray, partial, bins, n);
    WORKBOOK_CHECK(cudaFree(partial));
}
