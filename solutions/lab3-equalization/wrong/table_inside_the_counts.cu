// expect: finding race
// tasks: equalize
// engine: simulator
// fault: the table lies inside the counters, because its offset counts bytes.
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

// ---- Task 2: equalize ---------------------------------------------------------------------------

// One block of `levels` threads.
__global__ void equalize_table_kernel(const uint32_t* __restrict__ bins,
                                      uint8_t* __restrict__ table, int pixels) {
    __shared__ uint32_t cdf[levels];
    __shared__ int lowest;
    const int v = threadIdx.x;
    const uint32_t count = bins[v];
    cdf[v] = count;
    if (v == 0) {
        lowest = levels - 1;
    }
    __syncthreads();
    if (count > 0) {
        atomicMin(&lowest, v);
    }
    for (int d = 1; d < levels; d *= 2) {
        const uint32_t left = v >= d ? cdf[v - d] : 0;
        __syncthreads();
        cdf[v] += left;
        __syncthreads();
    }
    const uint32_t min_count = bins[lowest];
    const uint32_t rest = pixels - min_count;
    if (rest == 0) {
        table[v] = v;
    } else if (v < lowest) {
        table[v] = 0;
    } else {
        table[v] = static_cast<int>((cdf[v] - min_count) * (255.0f / rest) + 0.5f);
    }
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    constexpr int block_size = 256;

    uint32_t* bins;  // device memory: the counters, then the table
    cudaMalloc(&bins, levels * sizeof(uint32_t) + levels);
    uint8_t* table = reinterpret_cast<uint8_t*>(bins) + levels;
    cudaMemset(bins, 0, levels * sizeof(uint32_t));
    histogram_kernel<<<blocks, block_size>>>(gray, bins, pixels);
    equalize_table_kernel<<<1, levels>>>(bins, table, pixels);
    map_kernel<<<blocks, block_size>>>(gray, out, table, pixels);
    cudaFree(bins);
}
