// expect: finding race
// tasks: equalize
// engine: simulator
// fault: block 0 makes the table and then reads it through the read-only cache.
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();  // every counter is zero
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pixels; i += gridDim.x * 256)
        atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();  // every pixel is counted
    if (counts[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

// The histogram of an image, in host memory.
void count_levels(const uint8_t* gray, int pixels, uint32_t* counts) {
    uint32_t* bins;
    cudaMalloc(&bins, 256 * sizeof(uint32_t));
    cudaMemset(bins, 0, 256 * sizeof(uint32_t));
    histogram_kernel<<<120, 256>>>(gray, bins, pixels);
    cudaMemcpy(counts, bins, 256 * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    cudaFree(bins);
}

void make_table(const uint32_t* counts, int pixels, uint8_t* table) {
    int lowest = 0;
    while (counts[lowest] == 0) ++lowest;
    const uint32_t others = pixels - counts[lowest];
    uint64_t above = 0;  // pixels at this level or below, without those of the lowest
    for (int level = 0; level < 256; ++level) {
        if (level > lowest) above += counts[level];
        table[level] = others == 0 ? level : (255 * above + others / 2) / others;
    }
}

__device__ uint8_t table[256];

// One block for everything: makes the table, then maps the pixels.
__global__ void equalize_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                                const uint8_t* __restrict__ made, int pixels) {
    if (threadIdx.x < 256) table[threadIdx.x] = made[threadIdx.x];
    __syncthreads();  // the table is there
    for (int i = threadIdx.x; i < pixels; i += 1024) out[i] = __ldg(&table[gray[i]]);  // <- here
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t counts[256];
    count_levels(gray, pixels, counts);
    uint8_t host_table[256];
    make_table(counts, pixels, host_table);
    uint8_t* made;
    cudaMalloc(&made, 256);
    cudaMemcpy(made, host_table, 256, cudaMemcpyHostToDevice);
    equalize_kernel<<<1, 1024>>>(gray, out, made, pixels);
    cudaFree(made);
}
