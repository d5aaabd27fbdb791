// family: table in the registers of a warp
// style: over-engineered: each lane holds eight entries, a pixel asks the lane that holds its entry by shuffle
// expected bottleneck: shuffles: two per pixel, and the histogram's match instructions
#include "workbook.cuh"

constexpr unsigned full = 0xffffffffu;
constexpr int warps = 8;
constexpr int steps = 64;  // steps of 32 pixels per warp

__global__ void warp_histogram(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                               int pixels) {
    __shared__ uint32_t counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    int begin = (blockIdx.x * warps + threadIdx.x / 32) * 32 * steps + threadIdx.x % 32;
    for (int s = 0; s < steps; s++) {
        int i = begin + 32 * s;
        int level = i < pixels ? gray[i] : 256;  // 256: no pixel
        unsigned same = __match_any_sync(full, level);
        if (level < 256 && (same & ((1u << (threadIdx.x % 32)) - 1)) == 0)
            atomicAdd(&counts[level], (uint32_t)__popc(same));
    }
    __syncthreads();
    if (counts[threadIdx.x]) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

struct Lut {
    uint32_t low, high;  // the entries 8 * lane to 8 * lane + 3, and the next four
    __device__ uint32_t operator()(uint32_t level) const {
        uint32_t a = __shfl_sync(full, low, level >> 3);
        uint32_t b = __shfl_sync(full, high, level >> 3);
        uint32_t word = level & 4 ? b : a;
        return (word >> (8 * (level & 3))) & 0xff;
    }
};

__device__ Lut pack(const uint32_t* level) {
    return {level[0] | level[1] << 8 | level[2] << 16 | level[3] << 24,
            level[4] | level[5] << 8 | level[6] << 16 | level[7] << 24};
}

__device__ Lut stretch_lut(const uint32_t* bins, int pixels) {
    int lane = threadIdx.x % 32;
    uint32_t enough = (pixels + 1023) / 1024;
    unsigned low = 255, high = 0;
    for (int k = 0; k < 8; k++) {
        unsigned v = 8 * lane + k;
        if (bins[v] >= enough) low = min(low, v), high = max(high, v);
    }
    low = __reduce_min_sync(full, low);
    high = __reduce_max_sync(full, high);
    uint32_t level[8];
    for (int k = 0; k < 8; k++) {
        unsigned v = 8 * lane + k;
        unsigned c = min(max(v, low), high);
        level[k] = low == high ? v : (255 * (c - low) + (high - low) / 2) / (high - low);
    }
    return pack(level);
}

__device__ Lut equalize_lut(const uint32_t* bins, int pixels) {
    int lane = threadIdx.x % 32;
    uint32_t cdf[8], sum = 0, first = 0;
    for (int k = 0; k < 8; k++) {
        uint32_t n = bins[8 * lane + k];
        if (first == 0) first = n;
        cdf[k] = sum += n;
    }
    uint32_t before = sum;
    for (int d = 1; d < 32; d *= 2) {
        uint32_t up = __shfl_up_sync(full, before, d);
        if (lane >= d) before += up;
    }
    before -= sum;
    uint32_t smallest = __shfl_sync(full, first, __ffs(__ballot_sync(full, first != 0)) - 1);
    uint32_t rest = pixels - smallest;
    uint32_t level[8];
    for (int k = 0; k < 8; k++) {
        uint32_t c = before + cdf[k];
        level[k] = rest == 0 || c < smallest ? 8 * lane + k
                                             : (uint32_t)(255.0f * (c - smallest) / rest + 0.5f);
    }
    return pack(level);
}

template <bool equalizing>
__global__ void warp_map(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                         const uint32_t* __restrict__ bins, int pixels) {
    Lut lut = equalizing ? equalize_lut(bins, pixels) : stretch_lut(bins, pixels);
    int begin = (blockIdx.x * warps + threadIdx.x / 32) * 32 * steps + threadIdx.x % 32;
    for (int s = 0; s < steps; s++) {
        int i = begin + 32 * s;
        uint32_t level = lut(i < pixels ? gray[i] : 0);
        if (i < pixels) out[i] = level;
    }
}

template <bool equalizing>
static void run(const uint8_t* gray, uint8_t* out, int pixels) {
    uint32_t* bins;
    WORKBOOK_CHECK(cudaMalloc(&bins, 1024));
    WORKBOOK_CHECK(cudaMemset(bins, 0, 1024));
    int grid = ceil_div(pixels, warps * 32 * steps);
    warp_histogram<<<grid, warps * 32>>>(gray, bins, pixels);
    warp_map<equalizing><<<grid, warps * 32>>>(gray, out, bins, pixels);
    WORKBOOK_CHECK(cudaFree(bins));
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    run<false>(gray, out, width * height);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    run<true>(gray, out, width * height);
}
