// family: few blocks
// style: one cooperative launch, one block of 1024 threads per multiprocessor, grid.sync between counting and mapping
// expected bottleneck: shared atomics with 32 warps per multiprocessor; loads of one word per thread in flight
#include <cooperative_groups.h>

#include "workbook.cuh"

namespace cg = cooperative_groups;

__global__ void __launch_bounds__(1024) everything(const uint8_t* gray, uint8_t* out,
                                                   uint32_t* bins, int n, bool stretch) {
    __shared__ uint32_t counts[8][256];
    __shared__ uint8_t table[256];
    __shared__ int low, high;
    cg::grid_group grid = cg::this_grid();
    const int t = threadIdx.x;
    for (int i = t; i < 8 * 256; i += 1024) (&counts[0][0])[i] = 0;
    if (t == 0) {
        low = 256;
        high = -1;
    }
    __syncthreads();
    const int words = n / 4, first = blockIdx.x * 1024 + t, stride = gridDim.x * 1024;
    for (int i = first; i < words; i += stride) {
        const uint32_t w = reinterpret_cast<const uint32_t*>(gray)[i];
        for (int k = 0; k < 4; k++) atomicAdd(&counts[t / 128][w >> 8 * k & 255], 1u);
    }
    if (first < n - 4 * words) atomicAdd(&counts[0][gray[4 * words + first]], 1u);
    __syncthreads();
    if (t < 256) {
        uint32_t sum = 0;
        for (int k = 0; k < 8; k++) sum += counts[k][t];
        if (sum) atomicAdd(&bins[t], sum);
    }
    grid.sync();
    // Every block makes the table for itself.
    if (t < 256) counts[0][t] = bins[t];
    __syncthreads();
    if (stretch) {
        if (t < 256 && counts[0][t] >= (uint32_t)((n + 1023) / 1024)) {
            atomicMin(&low, t);
            atomicMax(&high, t);
        }
        __syncthreads();
        if (t < 256) {
            const int range = max(high - low, 1);
            table[t] = low == high ? t : (min(max(t - low, 0), range) * 255 + range / 2) / range;
        }
    } else if (t < 256) {
        uint32_t sum = 0, least = 0;
        for (int v = 0; v <= t; v++) {
            sum += counts[0][v];
            if (least == 0) least = sum;
        }
        const uint32_t range = n - least;
        table[t] = range == 0 || sum == 0 ? t
            : (uint8_t)((255ull * (sum - least) + range / 2) / range);
    }
    __syncthreads();
    for (int i = first; i < words; i += stride) {
        const uint32_t w = reinterpret_cast<const uint32_t*>(gray)[i];
        reinterpret_cast<uint32_t*>(out)[i] =
            table[w & 255] | table[w >> 8 & 255] << 8 | table[w >> 16 & 255] << 16 |
                (uint32_t)table[w >> 24] << 24;
    }
    if (first < n - 4 * words) out[4 * words + first] = table[gray[4 * words + first]];
}

static void cooperate(const uint8_t* gray, uint8_t* out, int n, bool stretch) {
    int blocks = 0;
    WORKBOOK_CHECK(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0));
    uint32_t* bins;
    WORKBOOK_CHECK(cudaMalloc(&bins, 1024));
    WORKBOOK_CHECK(cudaMemset(bins, 0, 1024));
    void* arguments[] = {&gray, &out, &bins, &n, &stretch};
    WORKBOOK_CHECK(cudaLaunchCooperativeKernel((const void*)everything, dim3(blocks), dim3(1024),
                                               arguments, 0, 0));
    WORKBOOK_CHECK(cudaFree(bins));
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    cooperate(gray, out, width * height, true);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    cooperate(gray, out, width * height, false);
}
