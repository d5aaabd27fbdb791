// Rung 8: privatize the histogram per warp.
//
// Before:   the eight warps of a block share the same counters.
// Change:   each warp has 256 counters. At the end each thread adds up one level of all warps.
// Expected: shorter queues on images of few levels. But zeroing and adding are eight times the
//           work, for only four pixels per thread: on ordinary images that can cost more than it
//           saves. (A report saw both.)
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int block_size = 256;
constexpr int warp_size = 32;
constexpr int warps = block_size / warp_size;
static_assert(block_size == levels, "a thread zeroes and adds one level of every warp");

__device__ uint32_t byte_of(uint32_t word, int index) { return (word >> (8 * index)) & 0xff; }

__device__ uint32_t gray_of(uint32_t red, uint32_t green, uint32_t blue) {
    return (30 * red + 59 * green + 11 * blue + 50) / 100;
}

// Four interleaved pixels, R G B R | G B R G | B R G B, to four gray bytes.
__device__ uint32_t gray_quad(uint32_t a, uint32_t b, uint32_t c) {
    return gray_of(byte_of(a, 0), byte_of(a, 1), byte_of(a, 2)) |
           gray_of(byte_of(a, 3), byte_of(b, 0), byte_of(b, 1)) << 8 |
           gray_of(byte_of(b, 2), byte_of(b, 3), byte_of(c, 0)) << 16 |
           gray_of(byte_of(c, 1), byte_of(c, 2), byte_of(c, 3)) << 24;
}

__device__ void count_quad(uint32_t* counts, uint32_t four) {
    for (int k = 0; k < 4; ++k) atomicAdd(&counts[byte_of(four, k)], 1u);
}

__device__ void zero(uint32_t (*counts)[levels]) {
    for (int warp = 0; warp < warps; ++warp) counts[warp][threadIdx.x] = 0;
}

__device__ void add_to_bins(uint32_t* bins, const uint32_t (*counts)[levels]) {
    uint32_t count = 0;
    for (int warp = 0; warp < warps; ++warp) count += counts[warp][threadIdx.x];
    if (count > 0) atomicAdd(&bins[threadIdx.x], count);
}

// ANCHOR: kernel
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int quads, int pixels) {
    __shared__ uint32_t counts[warps][levels];
    zero(counts);
    __syncthreads();  // a warp's counters were zeroed by all warps

    uint32_t* mine = counts[threadIdx.x / warp_size];
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = 4 * quads + (thread - quads);
    if (thread < quads) {
        count_quad(mine, reinterpret_cast<const uint32_t*>(gray)[thread]);
    } else if (i < pixels) {
        atomicAdd(&mine[gray[i]], 1u);
    }
    __syncthreads();  // all warps have counted

    add_to_bins(bins, counts);
}
// ANCHOR_END: kernel

__global__ void gray_histogram_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                      uint32_t* __restrict__ bins, int quads, int pixels) {
    __shared__ uint32_t counts[warps][levels];
    zero(counts);
    __syncthreads();  // a warp's counters were zeroed by all warps

    uint32_t* mine = counts[threadIdx.x / warp_size];
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = 4 * quads + (thread - quads);
    if (thread < quads) {
        const uint32_t* words = reinterpret_cast<const uint32_t*>(rgb) + 3 * thread;
        const uint32_t four = gray_quad(words[0], words[1], words[2]);
        reinterpret_cast<uint32_t*>(gray)[thread] = four;
        count_quad(mine, four);
    } else if (i < pixels) {
        const uint32_t level = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
        gray[i] = level;
        atomicAdd(&mine[level], 1u);
    }
    __syncthreads();  // all warps have counted

    add_to_bins(bins, counts);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    const int quads = pixels / 4;
    const int threads = quads + pixels % 4;
    histogram_kernel<<<ceil_div(threads, block_size), block_size>>>(gray, bins, quads, pixels);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    const int quads = pixels / 4;
    const int threads = quads + pixels % 4;
    gray_histogram_kernel<<<ceil_div(threads, block_size), block_size>>>(rgb, gray, bins, quads,
                                                                         pixels);
}
