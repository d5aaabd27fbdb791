// family: warp intrinsics
// style: lanes with one level elect their lowest lane by match_any; only it adds, to a shared histogram
// expected bottleneck: the match instruction, which takes a turn for every different level
#include "workbook.cuh"

__device__ void add_aggregated(uint32_t* counters, int level, bool valid) {
    const unsigned active = __ballot_sync(0xffffffffu, valid);
    if (!valid) return;
    const unsigned peers = __match_any_sync(active, level);
    if ((threadIdx.x & 31) == __ffs(peers) - 1) atomicAdd(&counters[level], __popc(peers));
}

template <bool color>
__global__ void aggregated(const uint8_t* in, uint8_t* gray, uint32_t* bins, int n, int rounds) {
    __shared__ uint32_t counters[256];
    counters[threadIdx.x] = 0;
    __syncthreads();
    int p = blockIdx.x * 256 * rounds + threadIdx.x;
    for (int r = 0; r < rounds; r++, p += 256) {
        const bool valid = p < n;
        int v = 0;
        if (valid) {
            if (color) {
                v = (30 * in[3 * p] + 59 * in[3 * p + 1] + 11 * in[3 * p + 2] + 50) / 100;
                gray[p] = v;
            } else {
                v = in[p];
            }
        }
        add_aggregated(counters, v, valid);
    }
    __syncthreads();
    const uint32_t mine = counters[threadIdx.x];
    if (mine) atomicAdd(bins + threadIdx.x, mine);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    aggregated<false><<<ceil_div(width * height, 256 * 32), 256>>>(gray, nullptr, bins,
                                                                   width * height, 32);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    aggregated<true><<<ceil_div(width * height, 256 * 32), 256>>>(rgb, gray, bins, width * height,
                                                                  32);
}
