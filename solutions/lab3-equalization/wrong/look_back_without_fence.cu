// expect: finding race
// tasks: equalize
// engine: simulator
// fault: a block stores its sum and then a flag, with no fence between them.
#include "workbook.cuh"

__device__ volatile uint32_t running[8];
__device__ volatile int ready[8];

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
    if (i < 8) ready[i] = 0;
}

// Eight blocks of 32 levels; each adds the sum of the block before it.
__global__ void scan_kernel(const uint32_t* __restrict__ bins, uint32_t* __restrict__ cdf) {
    const int lane = threadIdx.x, block = blockIdx.x;
    uint32_t sum = bins[32 * block + lane];
    for (int distance = 1; distance < 32; distance *= 2) {
        const uint32_t other = __shfl_up_sync(0xffffffffu, sum, distance);
        if (lane >= distance) sum += other;
    }
    uint32_t before = 0;
    if (block > 0) {
        while (ready[block - 1] == 0) {
        }
        before = running[block - 1];  // <- here
    }
    cdf[32 * block + lane] = sum + before;
    if (lane == 31) {
        running[block] = sum + before;
        ready[block] = 1;
    }
}

__global__ void map_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                           const uint32_t* __restrict__ bins, const uint32_t* __restrict__ cdf,
                           int pixels) {
    __shared__ uint32_t least;
    if (threadIdx.x == 0) {
        int level = 0;
        while (bins[level] == 0) ++level;
        least = bins[level];
    }
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const uint32_t others = pixels - least;
    const uint64_t above = cdf[gray[i]] - least;
    out[i] = others == 0 ? gray[i] : (255 * above + others / 2) / others;
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t* bins;
    WORKBOOK_CHECK(cudaMalloc(&bins, 512 * sizeof(uint32_t)));
    WORKBOOK_CHECK(cudaMemset(bins, 0, 256 * sizeof(uint32_t)));
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
    scan_kernel<<<8, 32>>>(bins, bins + 256);
    map_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, bins, bins + 256, pixels);
    WORKBOOK_CHECK(cudaFree(bins));
}
