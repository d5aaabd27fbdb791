// why: each warp sorts its levels by a bitonic network of shuffles; a ballot tells where runs end.
// tasks: histogram
#include "workbook.cuh"

__global__ void histogram_kernel(const uint8_t* gray, uint32_t* bins, int n) {
    constexpr unsigned all = 0xffffffff;
    const int lane = threadIdx.x & 31;
    int base = (blockIdx.x * blockDim.x + threadIdx.x) & ~31;
    for (; base < n; base += gridDim.x * blockDim.x) {
        int level = base + lane < n ? gray[base + lane] : 256;
        for (int size = 2; size <= 32; size <<= 1) {
            for (int distance = size >> 1; distance; distance >>= 1) {
                const int other = __shfl_xor_sync(all, level, distance);
                const bool up = (lane & size) == 0, low = (lane & distance) == 0;
                level = low == up ? min(level, other) : max(level, other);
            }
        }
        const int left = __shfl_up_sync(all, level, 1);
        const bool first = lane == 0 || left != level;
        const unsigned firsts = __ballot_sync(all, first);
        if (!first || level > 255) continue;
        const unsigned later = lane == 31 ? 0 : firsts >> (lane + 1);
        atomicAdd(&bins[level], later ? __ffs(later) : 32 - lane);
    }
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int n = width * height;
    histogram_kernel<<<min(ceil_div(n, 256), 2112), 256>>>(gray, bins, n);
}
