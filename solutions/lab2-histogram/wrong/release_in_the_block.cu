// expect: finding race
// tasks: histogram
// engine: simulator
// fault: the ticket of the last block is drawn with an order that only its own block sees (.cta).
#include "workbook.cuh"

__device__ uint32_t partial[16][256];
__device__ unsigned int finished;

__global__ void count(const uint8_t* gray, uint32_t* bins, int n) {
    __shared__ uint32_t counters[256];
    __shared__ bool last;
    counters[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
        atomicAdd(&counters[gray[i]], 1u);
    }
    __syncthreads();
    partial[blockIdx.x][threadIdx.x] = counters[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned int before;
        asm volatile("atom.acq_rel.cta.global.inc.u32 %0, [%1], %2;"
                     : "=r"(before)
                     : "l"(&finished), "r"(gridDim.x - 1)
                     : "memory");
        last = before == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    uint32_t sum = 0;
    for (int b = 0; b < gridDim.x; ++b) sum += partial[b][threadIdx.x];
    bins[threadIdx.x] = sum;
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    count<<<min(ceil_div(width * height, 256), 16), 256>>>(gray, bins, width * height);
}
