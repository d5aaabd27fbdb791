// Rung 9: sixteen pixels per load.
//
// Before:   words of four bytes in both passes, and grids that suit no particular GPU.
// Change:   vectors of 16 bytes in and out, a histogram per warp, and as many blocks as the GPU can
//           hold at once (lab 2, rung 11).
// Expected: a gain in both passes: more bytes in flight from fewer instructions.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int block_size = 256;
constexpr int warp_size = 32;
constexpr int warps = block_size / warp_size;
constexpr int group = 16;  // pixels per load
static_assert(block_size == levels, "a thread zeroes and adds one level of every warp");

__device__ uint32_t byte_of(uint32_t word, int index) { return (word >> (8 * index)) & 0xff; }

__device__ void count_quad(uint32_t* counts, uint32_t four) {
    for (int k = 0; k < 4; ++k) atomicAdd(&counts[byte_of(four, k)], 1u);
}

__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[warps][levels];
    for (int warp = 0; warp < warps; ++warp) counts[warp][threadIdx.x] = 0;
    __syncthreads();  // a warp's counters were zeroed by all warps

    uint32_t* mine = counts[threadIdx.x / warp_size];
    const int thread = blockIdx.x * block_size + threadIdx.x;
    const int stride = gridDim.x * block_size;
    const int groups = pixels / group;
    for (int i = thread; i < groups; i += stride) {
        const uint4 sixteen = reinterpret_cast<const uint4*>(gray)[i];
        count_quad(mine, sixteen.x);
        count_quad(mine, sixteen.y);
        count_quad(mine, sixteen.z);
        count_quad(mine, sixteen.w);
    }
    // Up to fifteen pixels are left.
    const int i = group * groups + thread;
    if (i < pixels) atomicAdd(&mine[gray[i]], 1u);
    __syncthreads();  // all warps have counted

    uint32_t count = 0;
    for (int warp = 0; warp < warps; ++warp) count += counts[warp][threadIdx.x];
    if (count > 0) atomicAdd(&bins[threadIdx.x], count);
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

__device__ uint32_t map_quad(const uint8_t* table, uint32_t four) {
    uint32_t result = 0;
    for (int k = 0; k < 4; ++k) result |= static_cast<uint32_t>(table[byte_of(four, k)]) << (8 * k);
    return result;
}

// ANCHOR: kernel
__global__ void map_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                           const uint8_t* __restrict__ table, int pixels) {
    __shared__ uint8_t shared_table[levels];
    shared_table[threadIdx.x] = table[threadIdx.x];
    __syncthreads();  // the whole table is there

    const int thread = blockIdx.x * block_size + threadIdx.x;
    const int stride = gridDim.x * block_size;
    const int groups = pixels / group;
    for (int i = thread; i < groups; i += stride) {
        const uint4 sixteen = reinterpret_cast<const uint4*>(gray)[i];
        reinterpret_cast<uint4*>(out)[i] =
            make_uint4(map_quad(shared_table, sixteen.x), map_quad(shared_table, sixteen.y),
                       map_quad(shared_table, sixteen.z), map_quad(shared_table, sixteen.w));
    }
    const int i = group * groups + thread;
    if (i < pixels) out[i] = shared_table[gray[i]];
}
// ANCHOR_END: kernel

// bins and table side by side, so that one allocation holds both.
struct Scratch {
    uint32_t bins[levels];
    uint8_t table[levels];
};

// As many blocks as the GPU holds at once, but no more than the image needs.
template <class Kernel>
int resident_grid(Kernel kernel, int groups) {
    int device = 0, multiprocessors = 0, blocks = 0;
    WORKBOOK_CHECK(cudaGetDevice(&device));
    WORKBOOK_CHECK(
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    WORKBOOK_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_size, 0));
    const int needed = ceil_div(groups, block_size);
    return max(1, min(multiprocessors * blocks, needed));
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    const int groups = pixels / group;
    Scratch* scratch;
    WORKBOOK_CHECK(cudaMalloc(&scratch, sizeof(Scratch)));
    WORKBOOK_CHECK(cudaMemset(scratch->bins, 0, sizeof(scratch->bins)));
    histogram_kernel<<<resident_grid(histogram_kernel, groups), block_size>>>(gray, scratch->bins,
                                                                              pixels);
    stretch_table_kernel<<<1, levels>>>(scratch->bins, scratch->table, pixels);
    map_kernel<<<resident_grid(map_kernel, groups), block_size>>>(gray, out, scratch->table,
                                                                  pixels);
    WORKBOOK_CHECK(cudaFree(scratch));
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int pixels = width * height;
    const int groups = pixels / group;
    Scratch* scratch;
    WORKBOOK_CHECK(cudaMalloc(&scratch, sizeof(Scratch)));
    WORKBOOK_CHECK(cudaMemset(scratch->bins, 0, sizeof(scratch->bins)));
    histogram_kernel<<<resident_grid(histogram_kernel, groups), block_size>>>(gray, scratch->bins,
                                                                              pixels);
    equalize_table_kernel<<<1, levels>>>(scratch->bins, scratch->table, pixels);
    map_kernel<<<resident_grid(map_kernel, groups), block_size>>>(gray, out, scratch->table,
                                                                  pixels);
    WORKBOOK_CHECK(cudaFree(scratch));
}
