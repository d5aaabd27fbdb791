// Rung 12: match lanes of the same level.
//
// slower:   on an image of many levels nearly every lane is alone, and the matching, several
//           instructions per pixel, saves nothing. It stands here for images of one level, which
//           are the worst case of rung 11.
//
// Before:   the lanes of a warp that have the same level queue at one counter: on a flat area 32
//           lanes take 32 turns.
// Change:   the lanes compare their levels first. `__match_any_sync` tells each lane which others
//           have its level; the first of them adds for all.
// Expected: an image of one level costs one atomic in place of 32. New compilers and GPUs merge the
//           lanes of such an atomic themselves.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int block_size = 256;
constexpr int warp_size = 32;
constexpr int warps = block_size / warp_size;
constexpr int group = 16;  // pixels per load
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

// Sixteen interleaved pixels to sixteen gray bytes.
__device__ uint4 gray_vector(uint4 a, uint4 b, uint4 c) {
    return make_uint4(gray_quad(a.x, a.y, a.z), gray_quad(a.w, b.x, b.y), gray_quad(b.z, b.w, c.x),
                      gray_quad(c.y, c.z, c.w));
}

// ANCHOR: count
// Counts one level per lane; all lanes of the warp take part.
__device__ void count(uint32_t* counts, uint32_t level) {
#if __CUDA_ARCH__ >= 700
    const uint32_t peers = __match_any_sync(0xffffffff, level);
    const int first = __ffs(peers) - 1;
    if (threadIdx.x % warp_size == first) atomicAdd(&counts[level], __popc(peers));
#else
    atomicAdd(&counts[level], 1u);
#endif
}
// ANCHOR_END: count

__device__ void count_quad(uint32_t* counts, uint32_t four) {
    for (int k = 0; k < 4; ++k) count(counts, byte_of(four, k));
}

__device__ void count_vector(uint32_t* counts, uint4 sixteen) {
    count_quad(counts, sixteen.x);
    count_quad(counts, sixteen.y);
    count_quad(counts, sixteen.z);
    count_quad(counts, sixteen.w);
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
// A warp's vectors lie side by side, and it takes them only while there is one for every lane: all
// lanes leave the loop together. The pixels after the last whole warp are counted one by one.
__global__ void histogram_kernel(const uint8_t* __restrict__ gray, uint32_t* __restrict__ bins,
                                 int pixels) {
    __shared__ uint32_t counts[warps][levels];
    zero(counts);
    __syncthreads();  // a warp's counters were zeroed by all warps

    uint32_t* mine = counts[threadIdx.x / warp_size];
    const int thread = blockIdx.x * block_size + threadIdx.x;
    const int stride = gridDim.x * block_size;
    const int groups = pixels / (group * warp_size) * warp_size;
    const uint4* vectors = reinterpret_cast<const uint4*>(gray);
    for (int i = thread; i < groups; i += stride) count_vector(mine, vectors[i]);
    for (int i = group * groups + thread; i < pixels; i += stride) atomicAdd(&mine[gray[i]], 1u);
    __syncthreads();  // all warps have counted

    add_to_bins(bins, counts);
}
// ANCHOR_END: kernel

__global__ void gray_histogram_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray,
                                      uint32_t* __restrict__ bins, int pixels) {
    __shared__ uint32_t counts[warps][levels];
    zero(counts);
    __syncthreads();  // a warp's counters were zeroed by all warps

    uint32_t* mine = counts[threadIdx.x / warp_size];
    const int thread = blockIdx.x * block_size + threadIdx.x;
    const int stride = gridDim.x * block_size;
    const int groups = pixels / (group * warp_size) * warp_size;
    for (int i = thread; i < groups; i += stride) {
        const uint4* vectors = reinterpret_cast<const uint4*>(rgb) + 3 * i;
        const uint4 sixteen = gray_vector(vectors[0], vectors[1], vectors[2]);
        reinterpret_cast<uint4*>(gray)[i] = sixteen;
        count_vector(mine, sixteen);
    }
    for (int i = group * groups + thread; i < pixels; i += stride) {
        const uint32_t level = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
        gray[i] = level;
        atomicAdd(&mine[level], 1u);
    }
    __syncthreads();  // all warps have counted

    add_to_bins(bins, counts);
}

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

void histogram(const uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    const int grid = resident_grid(histogram_kernel, pixels / group);
    histogram_kernel<<<grid, block_size>>>(gray, bins, pixels);
}

void gray_histogram(const uint8_t* rgb, uint8_t* gray, uint32_t* bins, int width, int height) {
    const int pixels = width * height;
    const int grid = resident_grid(gray_histogram_kernel, pixels / group);
    gray_histogram_kernel<<<grid, block_size>>>(rgb, gray, bins, pixels);
}
