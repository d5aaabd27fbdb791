// expect: finding memory
// tasks: contrast_stretch
// engine: simulator
// fault: the allocation of the counters has no room for the table that lies behind them.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int blocks = 1056;  // tune: 264 528 1056

// The histogram of lab 2, the first step of both tasks.
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[levels];
    for (int v = threadIdx.x; v < levels; v += blockDim.x) {
        counts[v] = 0;
    }
    __syncthreads();
    const uint4* in = reinterpret_cast<const uint4*>(gray);
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    for (int i = first; i < pixels / 16; i += stride) {
        const uint4 load = in[i];
        const uint32_t words[4] = {load.x, load.y, load.z, load.w};
        for (int w = 0; w < 4; w++) {
            for (int k = 0; k < 4; k++) {
                atomicAdd(&counts[words[w] >> 8 * k & 0xff], 1u);
            }
        }
    }
    const int tail = pixels / 16 * 16 + first;
    if (tail < pixels) {
        atomicAdd(&counts[gray[tail]], 1u);
    }
    __syncthreads();
    for (int v = threadIdx.x; v < levels; v += blockDim.x) {
        atomicAdd(&bins[v], counts[v]);
    }
}

// table is device memory.
__global__ void map_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                           const uint8_t* __restrict__ table, int pixels) {
    __shared__ uint8_t of_block[levels];
    for (int v = threadIdx.x; v < levels; v += blockDim.x) {
        of_block[v] = table[v];
    }
    __syncthreads();
    const uint4* in = reinterpret_cast<const uint4*>(gray);
    uint4* to = reinterpret_cast<uint4*>(out);
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    for (int i = first; i < pixels / 16; i += stride) {
        const uint4 load = in[i];
        const uint32_t words[4] = {load.x, load.y, load.z, load.w};
        uint32_t results[4];
        for (int w = 0; w < 4; w++) {
            results[w] = 0;
            for (int k = 0; k < 4; k++) {
                results[w] |= uint32_t(of_block[words[w] >> 8 * k & 0xff]) << 8 * k;
            }
        }
        to[i] = make_uint4(results[0], results[1], results[2], results[3]);
    }
    const int tail = pixels / 16 * 16 + first;
    if (tail < pixels) {
        out[tail] = of_block[gray[tail]];
    }
}

// ---- Task 1: contrast_stretch -------------------------------------------------------------------

// One block of `levels` threads: the table of the new levels.
__global__ void stretch_table_kernel(const uint32_t* __restrict__ bins, uint8_t* __restrict__ table,
                                     int pixels) {
    __shared__ int low, high;
    const int v = threadIdx.x;
    if (v == 0) {
        low = levels - 1;
        high = 0;
    }
    __syncthreads();
    if (bins[v] >= (pixels + 1023) / 1024) {
        atomicMin(&low, v);
        atomicMax(&high, v);
    }
    __syncthreads();
    if (low == high) {
        table[v] = v;
    } else {
        const float factor = 255.0f / (high - low);
        table[v] = min(max(static_cast<int>((v - low) * factor + 0.5f), 0), 255);
    }
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    constexpr int block_size = 256;

    uint32_t* bins;  // device memory: the counters, then the table
    cudaMalloc(&bins, levels * sizeof(uint32_t));
    uint8_t* table = reinterpret_cast<uint8_t*>(bins + levels);
    cudaMemset(bins, 0, levels * sizeof(uint32_t));
    histogram_kernel<<<blocks, block_size>>>(gray, bins, pixels);
    stretch_table_kernel<<<1, levels>>>(bins, table, pixels);
    map_kernel<<<blocks, block_size>>>(gray, out, table, pixels);
    cudaFree(bins);
}
