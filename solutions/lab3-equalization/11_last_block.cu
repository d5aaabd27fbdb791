// Rung 11: the last block makes the table.
//
// level: expert
//
// Before:   four operations one after the other: clear the bins, count, make the table, map. Each
//           of the small ones costs a launch, and a wait of the whole GPU.
// Change:   the last block that finishes counting makes the table, before the kernel ends. A
//           counter of finished blocks tells it that it is the last. It sees the other blocks'
//           counts because each block puts a fence before its own increment. It leaves the bins at
//           zero, so that nothing has to be cleared. The CDF comes from shuffles.
// Expected: two launches in place of four operations: microseconds less for every image, which is
//           much for a small one.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int warp_size = 32;
constexpr int block_size = 1024;
constexpr int blocks = 2;  // on a multiprocessor: together 2,048 threads, with 32 KiB each
constexpr int group = 16;  // pixels per load
constexpr int ahead = 2;   // vectors in flight per thread

// by_lane[level][lane]: the data of lane l is in bank l.
using ByLane = uint32_t[levels][warp_size];
constexpr uint32_t row_bytes = warp_size * sizeof(uint32_t);

// The sum of the four products of the bytes of a and b, plus c. One instruction from compute
// capability 6.1 on.
__device__ uint32_t dot(uint32_t a, uint32_t b, uint32_t c) {
#if __CUDA_ARCH__ >= 610
    return __dp4a(a, b, c);
#else
    for (int shift = 0; shift < 32; shift += 8) c += (a >> shift & 0xff) * (b >> shift & 0xff);
    return c;
#endif
}

// Where a level's row and the lane's place in it lie, in bytes: a dot product with the length of a
// row at one byte and zeros elsewhere picks that byte out, scales it and adds the lane's place.
__device__ uint32_t place_of(uint32_t four, int k, uint32_t lane_bytes) {
    return dot(four, row_bytes << (8 * k), lane_bytes);
}

__device__ void count_quad(ByLane& counts, uint32_t lane_bytes, uint32_t four) {
    char* bytes = reinterpret_cast<char*>(counts);
    for (int k = 0; k < 4; ++k) {
        const uint32_t place = place_of(four, k, lane_bytes);
        atomicAdd(reinterpret_cast<uint32_t*>(bytes + place), 1u);
    }
}

__device__ void count_vector(ByLane& counts, uint32_t lane_bytes, uint4 sixteen) {
    count_quad(counts, lane_bytes, sixteen.x);
    count_quad(counts, lane_bytes, sixteen.y);
    count_quad(counts, lane_bytes, sixteen.z);
    count_quad(counts, lane_bytes, sixteen.w);
}

__device__ void zero(ByLane& counts) {
    uint4* vectors = reinterpret_cast<uint4*>(counts);
    for (int i = threadIdx.x; i < levels * warp_size / 4; i += block_size)
        vectors[i] = make_uint4(0, 0, 0, 0);
}

// Four threads add up one level, a quarter each. The eight levels of a warp begin at different
// columns, so that its 32 lanes read 32 banks.
__device__ void add_to_bins(uint32_t* bins, const ByLane& counts) {
    static_assert(4 * levels == block_size, "four threads per level");
    const int level = threadIdx.x / 4, quarter = threadIdx.x % 4;
    uint32_t sum = 0;
    for (int k = 0; k < 8; ++k) sum += counts[level][4 * ((k + level) % 8) + quarter];
    sum += __shfl_xor_sync(0xffffffff, sum, 1);
    sum += __shfl_xor_sync(0xffffffff, sum, 2);
    if (quarter == 0 && sum > 0) atomicAdd(&bins[level], sum);
}

// Counts this block's part of the image and adds it to the bins.
__device__ void count_pixels(const uint8_t* __restrict__ gray, uint32_t* bins, int pixels) {
    __shared__ __align__(16) ByLane counts;
    const int thread = blockIdx.x * block_size + threadIdx.x;
    const int stride = gridDim.x * block_size;
    const int groups = pixels / group;
    const uint4* vectors = reinterpret_cast<const uint4*>(gray);

    // The first loads are in flight while the counters are zeroed.
    uint4 next[ahead] = {};
    for (int k = 0; k < ahead; ++k)
        if (thread + k * stride < groups) next[k] = vectors[thread + k * stride];
    zero(counts);
    __syncthreads();  // every counter is zero before the first pixel is counted

    const int lane = threadIdx.x % warp_size;
    const uint32_t lane_bytes = lane * sizeof(uint32_t);
    for (int i = thread; i < groups; i += ahead * stride) {
#pragma unroll
        for (int k = 0; k < ahead; ++k) {
            const uint4 sixteen = next[k];
            const int later = i + (ahead + k) * stride;
            if (later < groups) next[k] = vectors[later];
            if (i + k * stride < groups) count_vector(counts, lane_bytes, sixteen);
        }
    }
    // Up to fifteen pixels are left.
    const int i = group * groups + thread;
    if (i < pixels) atomicAdd(&counts[gray[i]][lane], 1u);
    __syncthreads();  // all warps have counted

    add_to_bins(bins, counts);
}

// Data that stays between two kernels, and from one call to the next. All of it is zero at first,
// and the last block leaves it zero again, so that no call has to clear it.
__device__ uint32_t bins[levels];
__device__ uint32_t finished_blocks;
__device__ uint8_t table[levels];

// ANCHOR: is_last_block
// Whether all other blocks have added their counts already; the same answer for all threads.
__device__ bool is_last_block() {
    __shared__ bool last;
    __threadfence();  // this thread's counts are added before the block counts as finished
    __syncthreads();  // all threads of the block have come this far
    if (threadIdx.x == 0) last = atomicAdd(&finished_blocks, 1u) == gridDim.x - 1;
    __syncthreads();            // all threads know the answer
    if (last) __threadfence();  // what follows reads the counts of all finished blocks
    return last;
}
// ANCHOR_END: is_last_block

// Takes the level's count out of the bins and leaves zero.
__device__ uint32_t take_count(int level) { return atomicExch(&bins[level], 0u); }

// The table of the stretch, by the first 256 threads of a block; all of them take part.
__device__ void make_stretch_table(int pixels) {
    __shared__ int low, high;
    if (threadIdx.x == 0) {
        low = levels - 1;
        high = 0;
    }
    __syncthreads();  // both have their first values before any thread changes them
    const int level = threadIdx.x;
    if (level < levels && take_count(level) >= ceil_div(pixels, 1024)) {
        atomicMin(&low, level);
        atomicMax(&high, level);
    }
    __syncthreads();  // all levels have been looked at
    const int width = high - low;
    const int above = min(max(level, low), high) - low;
    if (level < levels) table[level] = width == 0 ? level : (255 * above + width / 2) / width;
}

// The sum of a value over the lanes up to this one.
__device__ uint32_t sum_of_lanes(uint32_t value) {
    const int lane = threadIdx.x % warp_size;
    for (int d = 1; d < warp_size; d *= 2) {
        const uint32_t before = __shfl_up_sync(0xffffffff, value, d);
        if (lane >= d) value += before;
    }
    return value;
}

// The table of the equalization: each warp adds up 32 levels by shuffles, and then adds the sums
// of the warps before it. All threads of the block take part.
__device__ void make_equalize_table(int pixels) {
    constexpr int warps = levels / warp_size;
    __shared__ uint32_t sums[warps];
    __shared__ uint32_t minimum;  // the pixels at the lowest level that occurs
    const int level = threadIdx.x, warp = level / warp_size;
    const uint32_t count = level < levels ? take_count(level) : 0;
    uint32_t cdf = sum_of_lanes(count);
    if (level < levels && level % warp_size == warp_size - 1) sums[warp] = cdf;
    __syncthreads();  // the sums of all warps are there
    for (int before = 0; before < min(warp, warps); ++before) cdf += sums[before];
    if (count > 0 && cdf == count) minimum = count;
    __syncthreads();  // one thread has found it
    if (level >= levels) return;
    const uint32_t others = pixels - minimum;
    // 255 times a count needs 64 bits; levels below the lowest do not occur.
    const uint64_t above = cdf < minimum ? 0 : cdf - minimum;
    table[level] = others == 0 ? level : (255 * above + others / 2) / others;
}

enum class Task { stretch, equalize };

// ANCHOR: kernel
template <Task task>
__global__ void __launch_bounds__(block_size, blocks)
    table_kernel(const uint8_t* __restrict__ gray, int pixels) {
    count_pixels(gray, bins, pixels);
    if (!is_last_block()) return;
    if (threadIdx.x == 0) finished_blocks = 0;
    if (task == Task::stretch) {
        make_stretch_table(pixels);
    } else {
        make_equalize_table(pixels);
    }
}
// ANCHOR_END: kernel

// Four levels, looked up in the lane's own bank. Each entry is a word with the new level in its
// lowest byte; two permutations put the four together.
__device__ uint32_t map_quad(const ByLane& table, uint32_t lane_bytes, uint32_t four) {
    const char* bytes = reinterpret_cast<const char*>(table);
    uint32_t found[4];
    for (int k = 0; k < 4; ++k)
        found[k] = *reinterpret_cast<const uint32_t*>(bytes + place_of(four, k, lane_bytes));
    return __byte_perm(__byte_perm(found[0], found[1], 0x0040),
                       __byte_perm(found[2], found[3], 0x0040), 0x5410);
}

__device__ uint4 map_vector(const ByLane& table, uint32_t lane_bytes, uint4 sixteen) {
    return make_uint4(
        map_quad(table, lane_bytes, sixteen.x), map_quad(table, lane_bytes, sixteen.y),
        map_quad(table, lane_bytes, sixteen.z), map_quad(table, lane_bytes, sixteen.w));
}

__device__ void fill(ByLane& by_lane, const uint8_t* table) {
    uint4* vectors = reinterpret_cast<uint4*>(by_lane);
    for (int i = threadIdx.x; i < levels * warp_size / 4; i += block_size) {
        const uint32_t entry = table[i / (warp_size / 4)];
        vectors[i] = make_uint4(entry, entry, entry, entry);
    }
}

__global__ void __launch_bounds__(block_size, blocks)
    map_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int pixels) {
    __shared__ __align__(16) ByLane by_lane;
    const int thread = blockIdx.x * block_size + threadIdx.x;
    const int stride = gridDim.x * block_size;
    const int groups = pixels / group;
    const uint4* vectors = reinterpret_cast<const uint4*>(gray);
    uint4* results = reinterpret_cast<uint4*>(out);

    // The first loads are in flight while the table is filled in.
    uint4 next[ahead] = {};
    for (int k = 0; k < ahead; ++k)
        if (thread + k * stride < groups) next[k] = vectors[thread + k * stride];
    fill(by_lane, table);
    __syncthreads();  // the whole table is there

    const int lane = threadIdx.x % warp_size;
    const uint32_t lane_bytes = lane * sizeof(uint32_t);
    for (int i = thread; i < groups; i += ahead * stride) {
#pragma unroll
        for (int k = 0; k < ahead; ++k) {
            const uint4 sixteen = next[k];
            const int now = i + k * stride, later = now + ahead * stride;
            if (later < groups) next[k] = vectors[later];
            if (now < groups) results[now] = map_vector(by_lane, lane_bytes, sixteen);
        }
    }
    // Up to fifteen pixels are left.
    const int i = group * groups + thread;
    if (i < pixels) out[i] = by_lane[gray[i]][lane];
}

// As many blocks as the GPU holds at once, but no more than the image needs.
template <class Kernel>
int resident_grid(Kernel kernel, int groups) {
    int device = 0, multiprocessors = 0, resident = 0;
    WORKBOOK_CHECK(cudaGetDevice(&device));
    WORKBOOK_CHECK(
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    WORKBOOK_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, block_size, 0));
    const int needed = ceil_div(groups, block_size);
    return max(1, min(multiprocessors * resident, needed));
}

template <Task task>
void run(const uint8_t* gray, uint8_t* out, int pixels) {
    const int groups = pixels / group;
    const int grid = resident_grid(table_kernel<task>, groups);
    table_kernel<task><<<grid, block_size>>>(gray, pixels);
    map_kernel<<<resident_grid(map_kernel, groups), block_size>>>(gray, out, pixels);
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    run<Task::stretch>(gray, out, width * height);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    run<Task::equalize>(gray, out, width * height);
}
