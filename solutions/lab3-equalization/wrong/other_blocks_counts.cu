// expect: finding race
// tasks: equalize
// engine: simulator
// fault: block 0 makes the table from the counts of all blocks, as if they had all ended.
#include "workbook.cuh"

__device__ uint32_t bins_of_all[256];
__device__ uint8_t table_of_all[256];

__device__ uint32_t taken(int level) { return atomicExch(&bins_of_all[level], 0u); }

// Counts; the last block makes the table.
__global__ void table_kernel(const uint8_t* __restrict__ gray, int pixels) {
    __shared__ uint32_t counts[256];
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&bins_of_all[gray[i]], 1u);
    if (blockIdx.x + 1 < gridDim.x) return;
    __syncthreads();  // this block has counted
    counts[threadIdx.x] = taken(threadIdx.x);
    __syncthreads();  // the counts are there
    if (threadIdx.x > 0) return;
    int lowest = 0;
    while (lowest < 255 && counts[lowest] == 0) ++lowest;
    const uint32_t others = pixels - counts[lowest];
    uint64_t above = 0;
    for (int level = 0; level < 256; ++level) {
        if (level > lowest) above += counts[level];
        table_of_all[level] = others == 0 ? level : (255 * above + others / 2) / others;
    }
}

__global__ void map_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                           int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) out[i] = table_of_all[gray[i]];
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    table_kernel<<<120, 256>>>(gray, pixels);
    map_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, pixels);
}
