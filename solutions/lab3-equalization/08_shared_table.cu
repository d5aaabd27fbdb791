// Rung 8: the table in shared memory.
//
// Before:   constant memory serves one address at a time, global memory a few.
// Change:   every block copies the table to shared memory first and looks up there: 32 banks serve
//           32 addresses at once, if no two words are in one bank. A block does many pixels, so
//           that its copy pays off.
// Expected: a gain, though not by 32: 256 bytes are 64 words in 32 banks, and on noise some lanes
//           of every warp meet in one bank.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int block_size = 256;
constexpr int most_blocks = 1024;  // tune: 132 264 528 1024 4096
static_assert(block_size == levels, "a thread zeroes and adds one counter");

__device__ uint32_t byte_of(uint32_t word, int index) { return (word >> (8 * index)) & 0xff; }

// As in lab 2: a histogram per block, four pixels per load, and a grid-stride loop.
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[levels];
    counts[threadIdx.x] = 0;
    __syncthreads();  // every counter is zero before the first pixel is counted

    const int thread = blockIdx.x * block_size + threadIdx.x;
    const int stride = gridDim.x * block_size;
    const int quads = pixels / 4;
    const uint32_t* words = reinterpret_cast<const uint32_t*>(gray);
    for (int quad = thread; quad < quads; quad += stride)
        for (int k = 0; k < 4; ++k) atomicAdd(&counts[byte_of(words[quad], k)], 1u);
    // Up to three pixels are left.
    const int i = 4 * quads + thread;
    if (i < pixels) atomicAdd(&counts[gray[i]], 1u);
    __syncthreads();  // every pixel of the block is counted before a counter is read

    const uint32_t count = counts[threadIdx.x];
    if (count > 0) atomicAdd(&bins[threadIdx.x], count);
}

// Queues the histogram of an image; bins is device memory.
void count_levels(const uint8_t* gray, uint32_t* bins, int pixels) {
    WORKBOOK_CHECK(cudaMemset(bins, 0, levels * sizeof(uint32_t)));
    const int needed = ceil_div(pixels, 4 * block_size);
    histogram_kernel<<<min(needed, most_blocks), block_size>>>(gray, bins, pixels);
}

// One block, one thread per level: the table of the stretch.
__global__ void stretch_table_kernel(const uint32_t* __restrict__ bins, uint8_t* __restrict__ table,
                                     int pixels) {
    __shared__ int low, high;
    const int level = threadIdx.x;
    if (level == 0) {
        low = levels - 1;
        high = 0;
    }
    __syncthreads();  // both have their first values before any thread changes them
    if (bins[level] >= ceil_div(pixels, 1024)) {
        atomicMin(&low, level);
        atomicMax(&high, level);
    }
    __syncthreads();  // all levels have been looked at
    const int width = high - low;
    const int above = min(max(level, low), high) - low;
    table[level] = width == 0 ? level : (255 * above + width / 2) / width;
}

// One block, one thread per level: the table of the equalization (a scan after Hillis and Steele).
__global__ void equalize_table_kernel(const uint32_t* __restrict__ bins,
                                      uint8_t* __restrict__ table, int pixels) {
    __shared__ uint32_t cdf[levels];
    __shared__ uint32_t minimum;  // the pixels at the lowest level that occurs
    const int level = threadIdx.x;
    cdf[level] = bins[level];
    __syncthreads();  // all counts are there
    for (int d = 1; d < levels; d *= 2) {
        const uint32_t before = level >= d ? cdf[level - d] : 0;
        __syncthreads();  // all threads have read before any writes
        cdf[level] += before;
        __syncthreads();  // all threads have written before any reads
    }
    if (bins[level] > 0 && bins[level] == cdf[level]) minimum = bins[level];
    __syncthreads();  // one thread has found it
    const uint32_t others = pixels - minimum;
    // 255 times a count needs 64 bits; levels below the lowest do not occur.
    const uint64_t above = cdf[level] < minimum ? 0 : cdf[level] - minimum;
    table[level] = others == 0 ? level : (255 * above + others / 2) / others;
}

// ANCHOR: kernel
__global__ void map_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                           const uint8_t* __restrict__ table, int pixels) {
    __shared__ uint8_t shared_table[levels];
    shared_table[threadIdx.x] = table[threadIdx.x];
    __syncthreads();  // the whole table is there

    const int thread = blockIdx.x * block_size + threadIdx.x;
    const int stride = gridDim.x * block_size;
    const int quads = pixels / 4;
    for (int quad = thread; quad < quads; quad += stride) {
        const uint32_t four = reinterpret_cast<const uint32_t*>(gray)[quad];
        uint32_t result = 0;
        for (int k = 0; k < 4; ++k)
            result |= static_cast<uint32_t>(shared_table[byte_of(four, k)]) << (8 * k);
        reinterpret_cast<uint32_t*>(out)[quad] = result;
    }
    const int i = 4 * quads + thread;
    if (i < pixels) out[i] = shared_table[gray[i]];
}
// ANCHOR_END: kernel

// bins and table side by side, so that one allocation holds both.
struct Scratch {
    uint32_t bins[levels];
    uint8_t table[levels];
};

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    Scratch* scratch;
    WORKBOOK_CHECK(cudaMalloc(&scratch, sizeof(Scratch)));
    count_levels(gray, scratch->bins, pixels);
    stretch_table_kernel<<<1, levels>>>(scratch->bins, scratch->table, pixels);
    const int blocks = min(ceil_div(pixels, 4 * block_size), most_blocks);
    map_kernel<<<blocks, block_size>>>(gray, out, scratch->table, pixels);
    WORKBOOK_CHECK(cudaFree(scratch));
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    Scratch* scratch;
    WORKBOOK_CHECK(cudaMalloc(&scratch, sizeof(Scratch)));
    count_levels(gray, scratch->bins, pixels);
    equalize_table_kernel<<<1, levels>>>(scratch->bins, scratch->table, pixels);
    const int blocks = min(ceil_div(pixels, 4 * block_size), most_blocks);
    map_kernel<<<blocks, block_size>>>(gray, out, scratch->table, pixels);
    WORKBOOK_CHECK(cudaFree(scratch));
}
