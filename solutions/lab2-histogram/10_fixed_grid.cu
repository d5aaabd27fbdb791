// Rung 10: a fixed grid.
//
// Before:   the number of blocks grows with the image, and each of them zeroes and adds.
// Change:   a grid of 60 x 45 blocks for any image, and a grid-stride loop: each thread steps ahead
//           by as many pixels as the whole grid does at once. (The size that two reports settled
//           on, for a GPU with 15 multiprocessors.)
// Expected: on large images the same or a little better; no gain on small ones, because most of the
//           2,700 blocks start for nothing.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int block_size = 256;
constexpr int grid_width = 60;  // tune: 15 30 60 120
constexpr int grid_height = 45;  // tune: 11 22 45
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
                                 int pixels) {
    __shared__ uint32_t counts[warps][levels];
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    const int quads = pixels / 4;
    // A block without pixels has nothing to do; all its threads leave, so that no barrier waits.
    if (block > 0 && block * block_size >= quads) return;
    zero(counts);
    __syncthreads();  // a warp's counters were zeroed by all warps

    uint32_t* mine = counts[threadIdx.x / warp_size];
    const int thread = block * block_size + threadIdx.x;
    const int stride = gridDim.x * gridDim.y * block_size;
    const uint32_t* words = reinterpret_cast<const uint32_t*>(gray);
    for (int quad = thread; quad < quads; quad += stride) count_quad(mine, words[quad]);
    // Up to three pixels are left.
    const int i = 4 * quads + thread;
    if (i < pixels) atomicAdd(&mine[gray[i]], 1u);
    __syncthreads();  // all warps have counted

    add_to_bins(bins, counts);
}
// ANCHOR_END: kernel

__global__ void gray_histogram_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                      uint32_t* __restrict__ bins, int pixels) {
    __shared__ uint32_t counts[warps][levels];
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    const int quads = pixels / 4;
    // A block without pixels has nothing to do; all its threads leave, so that no barrier waits.
    if (block > 0 && block * block_size >= quads) return;
    zero(counts);
    __syncthreads();  // a warp's counters were zeroed by all warps

    uint32_t* mine = counts[threadIdx.x / warp_size];
    const int thread = block * block_size + threadIdx.x;
    const int stride = gridDim.x * gridDim.y * block_size;
    for (int quad = thread; quad < quads; quad += stride) {
        const uint32_t* words = reinterpret_cast<const uint32_t*>(rgb) + 3 * quad;
        const uint32_t four = gray_quad(words[0], words[1], words[2]);
        reinterpret_cast<uint32_t*>(gray)[quad] = four;
        count_quad(mine, four);
    }
    const int i = 4 * quads + thread;
    if (i < pixels) {
        const uint32_t level = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
        gray[i] = level;
        atomicAdd(&mine[level], 1u);
    }
    __syncthreads();  // all warps have counted

    add_to_bins(bins, counts);
}

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const dim3 grid(grid_width, grid_height);
    histogram_kernel<<<grid, block_size>>>(gray, bins, width * height);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const dim3 grid(grid_width, grid_height);
    gray_histogram_kernel<<<grid, block_size>>>(rgb, gray, bins, width * height);
}
