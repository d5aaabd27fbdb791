// family: warp intrinsics
// Style: eight ballots, one a bit, find the lanes of equal level, as in a radix sort's multisplit.
// Limit: instructions and warp votes; one atomic on global memory for each level of a warp.
#include "workbook.cuh"

constexpr uint32_t full = 0xffffffff;

// All lanes of the warp call this; those with a pixel have inside set.
__device__ void count_warp(uint32_t level, bool inside, uint32_t* bins) {
    uint32_t peers = __ballot_sync(full, inside);
#pragma unroll
    for (int bit = 0; bit < 8; ++bit) {
        const bool one = level >> bit & 1;
        const uint32_t ones = __ballot_sync(full, one);
        peers &= one ? ones : ~ones;
    }
    const uint32_t lane = threadIdx.x & 31;
    const uint32_t before = peers & ((1u << lane) - 1);
    if (inside && before == 0) atomicAdd(&bins[level], __popc(peers));
}

__global__ void count_by_ballots(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int n) {
    const int stride = gridDim.x * blockDim.x;
    // Whole blocks go round together: every lane takes part in every ballot.
    for (int base = blockIdx.x * blockDim.x; base < n; base += stride) {
        const int i = base + threadIdx.x;
        count_warp(i < n ? gray[i] : 0, i < n, bins);
    }
}

__global__ void gray_by_ballots(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                uint32_t* __restrict__ bins, int n) {
    const int stride = gridDim.x * blockDim.x;
    for (int base = blockIdx.x * blockDim.x; base < n; base += stride) {
        const int i = base + threadIdx.x;
        uint32_t level = 0;
        if (i < n) {
            const uchar3 c = reinterpret_cast<const uchar3*>(rgb)[i];
            level = (30 * c.x + 59 * c.y + 11 * c.z + 50) / 100;
            gray[i] = level;
        }
        count_warp(level, i < n, bins);
    }
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height;
    count_by_ballots<<<min(ceil_div(n, 128), 2112), 128>>>(gray, bins, n);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height;
    gray_by_ballots<<<min(ceil_div(n, 128), 2112), 128>>>(rgb, gray, bins, n);
}
