// family: few blocks
// style: one block of 1024 threads per multiprocessor, 32 warps with a histogram each, 16 pixels per load
// expected bottleneck: shared atomics; then the latency of loads that are not overlapped
#include "workbook.cuh"

constexpr int warps = 32;

__device__ __forceinline__ int luma(const uint8_t* p) {
    return (30 * p[0] + 59 * p[1] + 11 * p[2] + 50) / 100;
}

__device__ __forceinline__ void add_word(uint32_t* mine, unsigned int w) {
    atomicAdd(mine + (w & 255), 1u);
    atomicAdd(mine + (w >> 8 & 255), 1u);
    atomicAdd(mine + (w >> 16 & 255), 1u);
    atomicAdd(mine + (w >> 24), 1u);
}

__device__ __forceinline__ void finish(uint32_t (*counts)[256], uint32_t* bins) {
    __syncthreads();
    if (threadIdx.x < 256) {
        uint32_t sum = 0;
        for (int w = 0; w < warps; w++) sum += counts[w][threadIdx.x];
        atomicAdd(&bins[threadIdx.x], sum);
    }
}

__global__ void __launch_bounds__(1024) fat_count(const uint8_t* gray, uint32_t* bins, int n) {
    __shared__ uint32_t counts[warps][256];
    for (int i = threadIdx.x; i < warps * 256; i += 1024) (&counts[0][0])[i] = 0;
    __syncthreads();
    uint32_t* mine = counts[threadIdx.x / 32];
    const int t = blockIdx.x * 1024 + threadIdx.x, all = gridDim.x * 1024;
    for (int q = t; q < n / 16; q += all) {
        const uint4 v = reinterpret_cast<const uint4*>(gray)[q];
        add_word(mine, v.x);
        add_word(mine, v.y);
        add_word(mine, v.z);
        add_word(mine, v.w);
    }
    if (t < n % 16) atomicAdd(mine + gray[n - n % 16 + t], 1u);
    finish(counts, bins);
}

__global__ void __launch_bounds__(1024) fat_color(const uint8_t* rgb, uint8_t* gray, uint32_t* bins,
                                                  int n) {
    __shared__ uint32_t counts[warps][256];
    for (int i = threadIdx.x; i < warps * 256; i += 1024) (&counts[0][0])[i] = 0;
    __syncthreads();
    uint32_t* mine = counts[threadIdx.x / 32];
    for (int p = blockIdx.x * 1024 + threadIdx.x; p < n; p += gridDim.x * 1024) {
        const int v = luma(rgb + 3 * p);
        gray[p] = v;
        atomicAdd(mine + v, 1u);
    }
    finish(counts, bins);
}

static int multiprocessors() {
    cudaDeviceProp properties;
    WORKBOOK_CHECK(cudaGetDeviceProperties(&properties, 0));
    return properties.multiProcessorCount;
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    fat_count<<<multiprocessors(), 1024>>>(gray, bins, width * height);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    fat_color<<<multiprocessors(), 1024>>>(rgb, gray, bins, width * height);
}
