// expect: finding race
// tasks: equalize
// engine: simulator
// fault: a block draws its ticket before all of its threads have counted.
#include "workbook.cuh"

__device__ uint32_t bins_of_all[256];
__device__ uint8_t table_of_all[256];
__device__ unsigned int tickets;

__global__ void table_kernel(const uint8_t* __restrict__ gray, int pixels) {
    __shared__ bool last;
    __shared__ uint32_t counts[256];
    const int level = threadIdx.x;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&bins_of_all[gray[i]], 1u);
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;  // <- here
    }
    __syncthreads();
    if (!last) return;
    counts[level] = atomicExch(&bins_of_all[level], 0u);
    __syncthreads();
    if (threadIdx.x > 0) return;
    int lowest = 0;
    while (lowest < 255 && counts[lowest] == 0) ++lowest;
    const uint32_t others = pixels - counts[lowest];
    uint64_t above = 0;
    for (int v = 0; v < 256; ++v) {
        if (v > lowest) above += counts[v];
        table_of_all[v] = others == 0 ? v : (255 * above + others / 2) / others;
    }
}

__global__ void map_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                           int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) out[i] = table_of_all[gray[i]];
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    table_kernel<<<min(ceil_div(pixels, 1024), 264), 256>>>(gray, pixels);
    map_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, pixels);
}
