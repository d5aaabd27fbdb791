// family: bit slices, no atomics on chip
// style: over-engineered: eight ballots per 32 pixels, each lane owns eight levels and counts bits
// expected bottleneck: integer instructions: votes, logic and population counts
#include "workbook.cuh"

constexpr unsigned everyone = 0xffffffffu;

struct Counts {
    uint32_t of[8];  // lane l counts the levels 8 * l to 8 * l + 7
};

__device__ __forceinline__ void count32(Counts& counts, uint32_t level, bool valid, int lane) {
    unsigned group = __ballot_sync(everyone, valid);
    // The upper five bits of a level select the lane.
#pragma unroll
    for (int bit = 3; bit < 8; bit++) {
        unsigned set = __ballot_sync(everyone, (level >> bit) & 1);
        group &= ((lane >> (bit - 3)) & 1) ? set : ~set;
    }
    unsigned b0 = __ballot_sync(everyone, level & 1);
    unsigned b1 = __ballot_sync(everyone, level & 2);
    unsigned b2 = __ballot_sync(everyone, level & 4);
#pragma unroll
    for (int v = 0; v < 8; v++) {
        unsigned mask = group & (v & 1 ? b0 : ~b0) & (v & 2 ? b1 : ~b1) & (v & 4 ? b2 : ~b2);
        counts.of[v] += __popc(mask);
    }
}

__device__ void flush(const Counts& counts, uint32_t* bins, int lane) {
    for (int v = 0; v < 8; v++)
        if (counts.of[v] != 0) atomicAdd(&bins[8 * lane + v], counts.of[v]);
}

constexpr int per_warp = 32 * 128;  // pixels

__global__ void sliced(const uint8_t* __restrict__ gray, uint32_t* bins, int pixels) {
    int lane = threadIdx.x % 32;
    int first = (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * per_warp;
    Counts counts = {};
    for (int i = first; i < min(first + per_warp, pixels); i += 32) {
        bool valid = i + lane < pixels;
        count32(counts, valid ? gray[i + lane] : 0, valid, lane);
    }
    flush(counts, bins, lane);
}

__global__ void gray_sliced(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                            uint32_t* bins, int pixels) {
    int lane = threadIdx.x % 32;
    int first = (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * per_warp;
    Counts counts = {};
    for (int i = first; i < min(first + per_warp, pixels); i += 32) {
        int at = i + lane;
        bool valid = at < pixels;
        uint32_t level = 0;
        if (valid) {
            level = (30 * rgb[3 * at] + 59 * rgb[3 * at + 1] + 11 * rgb[3 * at + 2] + 50) / 100;
            gray[at] = level;
        }
        count32(counts, level, valid, lane);
    }
    flush(counts, bins, lane);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    int pixels = width * height;
    sliced<<<ceil_div(pixels, per_warp * 8), 256>>>(gray, bins, pixels);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    int pixels = width * height;
    gray_sliced<<<ceil_div(pixels, per_warp * 8), 256>>>(rgb, gray, bins, pixels);
}
