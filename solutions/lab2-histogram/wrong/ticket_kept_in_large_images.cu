// expect: mismatch histogram
// tasks: histogram
// fault: large images let the last block add up, and the ticket that tells which is the last is
// never reset.
#include "workbook.cuh"
__device__ unsigned ticket;
__device__ uint32_t parts[1024][256];
__global__ void small(const uint8_t* gray, uint32_t* bins, int pixels) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}
__global__ void k(const uint8_t* gray, uint32_t* bins, int pixels) {
    __shared__ uint32_t counts[256];
    __shared__ bool last;
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256) {
        atomicAdd(&counts[gray[i]], 1u);
    }
    __syncthreads();
    parts[blockIdx.x][threadIdx.x] = counts[threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&ticket, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    uint32_t sum = 0;
    for (int b = 0; b < gridDim.x; ++b) sum += *(volatile uint32_t*)&parts[b][threadIdx.x];
    bins[threadIdx.x] = sum;
}
void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    if (pixels < 150000) small<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
    else k<<<264, 256>>>(gray, bins, pixels);
}
