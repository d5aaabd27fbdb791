// family: runs of equal levels
// style: a student who noticed that photographs are smooth: 16 adjacent pixels per thread, one atomic per run
// expected bottleneck: divergent branches at the ends of runs
#include "workbook.cuh"

__device__ void put(uint32_t* counts, int level, int run) {
    if (run > 0) atomicAdd(&counts[level], run);
}

__global__ void runs_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                            int pixels) {
    __shared__ uint32_t counts[256];
    for (int v = threadIdx.x; v < 256; v += blockDim.x) counts[v] = 0;
    __syncthreads();

    int current = 0, run = 0;
    // Eight pieces of 16 pixels per thread.
    for (int piece = 0; piece < 8; piece++) {
        int begin = ((blockIdx.x * 8 + piece) * blockDim.x + threadIdx.x) * 16;
        if (begin + 16 <= pixels) {
            uint4 v = *reinterpret_cast<const uint4*>(gray + begin);
            uint32_t words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
            for (int k = 0; k < 16; k++) {
                int level = (words[k / 4] >> (8 * (k % 4))) & 0xff;
                if (level == current) {
                    run++;
                } else {
                    put(counts, current, run);
                    current = level;
                    run = 1;
                }
            }
        } else {
            for (int i = begin; i < pixels; i++) atomicAdd(&counts[gray[i]], 1u);
        }
    }
    put(counts, current, run);
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += blockDim.x)
        if (counts[v]) atomicAdd(&bins[v], counts[v]);
}

__global__ void gray_runs_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                 uint32_t* __restrict__ bins, int pixels) {
    __shared__ uint32_t counts[256];
    for (int v = threadIdx.x; v < 256; v += blockDim.x) counts[v] = 0;
    __syncthreads();

    int current = 0, run = 0;
    for (int piece = 0; piece < 8; piece++) {
        int begin = ((blockIdx.x * 8 + piece) * blockDim.x + threadIdx.x) * 8;
        for (int i = begin; i < begin + 8 && i < pixels; i++) {
            int level = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
            gray[i] = level;
            if (level != current) {
                put(counts, current, run);
                current = level;
                run = 0;
            }
            run++;
        }
    }
    put(counts, current, run);
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += blockDim.x)
        if (counts[v]) atomicAdd(&bins[v], counts[v]);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    int pixels = width * height;
    runs_kernel<<<ceil_div(pixels, 16 * 8 * 128), 128>>>(gray, bins, pixels);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    int pixels = width * height;
    gray_runs_kernel<<<ceil_div(pixels, 8 * 8 * 128), 128>>>(rgb, gray, bins, pixels);
}
