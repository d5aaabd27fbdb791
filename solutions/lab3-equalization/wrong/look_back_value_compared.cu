// expect: finding race
// tasks: equalize
// engine: simulator
// fault: a block waits for the flag of the block before, and then takes its sum: no fence orders
//        the two stores. What is computed from the sum is compared with another number.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int lanes = 32;
constexpr int blocks = levels / lanes;

__device__ volatile unsigned int ready[blocks], sums[blocks];

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) atomicAdd(&bins[gray[i]], 1u);
}

__global__ void clear_kernel() { ready[threadIdx.x] = 0; }

__global__ void table_kernel(const uint32_t* bins, uint8_t* table, int pixels, int minimum) {
    const int lane = threadIdx.x, level = blockIdx.x * lanes + lane;
    unsigned int sum = bins[level];
    for (int d = 1; d < lanes; d *= 2) {
        const unsigned int below = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d) sum += below;
    }
    unsigned int before = 0;
    if (lane == lanes - 1) {
        if (blockIdx.x > 0) {
            while (ready[blockIdx.x - 1] == 0) {
            }
            before = sums[blockIdx.x - 1];  // <- here
        }
        sums[blockIdx.x] = before + sum;
        ready[blockIdx.x] = 1;
    }
    before = __shfl_sync(0xffffffff, before, lanes - 1);
    const long long cdf = before + sum, rest = pixels - minimum;
    table[level] = rest == 0        ? level
                   : cdf < minimum ? 0
                                   : ((cdf - minimum) * 255 + rest / 2) / rest;
}

__global__ void map_kernel(const uint8_t* gray, uint8_t* out, const uint8_t* table, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) out[i] = table[gray[i]];
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    uint32_t* bins;
    uint8_t* table;
    WORKBOOK_CHECK(cudaMalloc(&bins, levels * sizeof(uint32_t)));
    WORKBOOK_CHECK(cudaMalloc(&table, levels));
    WORKBOOK_CHECK(cudaMemset(bins, 0, levels * sizeof(uint32_t)));
    histogram_kernel<<<ceil_div(pixels, 256), 256>>>(gray, bins, pixels);
    uint32_t counts[levels];
    WORKBOOK_CHECK(
        cudaMemcpy(counts, bins, levels * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    int lowest = 0;
    while (counts[lowest] == 0) ++lowest;
    clear_kernel<<<1, blocks>>>();
    table_kernel<<<blocks, lanes>>>(bins, table, pixels, counts[lowest]);
    map_kernel<<<ceil_div(pixels, 256), 256>>>(gray, out, table, pixels);
    WORKBOOK_CHECK(cudaFree(bins));
    WORKBOOK_CHECK(cudaFree(table));
}
