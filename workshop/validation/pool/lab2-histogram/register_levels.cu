// family: registers
// style: no atomics while counting: a block looks for 16 levels only and counts them in 16 registers per thread; 16 rows of blocks
// expected bottleneck: instructions: every pixel is compared 256 times
#include "workbook.cuh"

constexpr int per_block = 16;

__global__ void gray_only(const uint8_t* rgb, uint8_t* gray, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;
}

__global__ void count_levels(const uint8_t* gray, uint32_t* bins, int n) {
    const int low = blockIdx.y * per_block;
    uint32_t counts[per_block] = {};
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int v = gray[i] - low;
#pragma unroll
        for (int k = 0; k < per_block; k++) counts[k] += v == k;
    }
#pragma unroll
    for (int k = 0; k < per_block; k++) {
        uint32_t sum = counts[k];
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, offset);
        if (threadIdx.x % 32 == 0 && sum > 0) atomicAdd(&bins[low + k], sum);
    }
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    count_levels<<<dim3(132, 256 / per_block), 256>>>(gray, bins, width * height);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height;
    gray_only<<<ceil_div(n, 256), 256>>>(rgb, gray, n);
    count_levels<<<dim3(132, 256 / per_block), 256>>>(gray, bins, n);
}
