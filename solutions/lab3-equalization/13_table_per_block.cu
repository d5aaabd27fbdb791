// Rung 13: every block makes its own table.
//
// level: expert
//
// Before:   between the two passes the GPU waits for one block: it has to learn that all others
//           have finished, read their counts and make the table. Only then can the next kernel
//           begin and fetch the table.
// Change:   the first pass ends with its counts. Every block of the second pass makes the table
//           from them itself, while its first pixels are in flight: eight warps look at all counts,
//           eight per lane, and make an eighth of the table each. There are two sets of counts,
//           used by turns: one is cleared for the next call while the other is read.
// Expected: less time by what the last block took, a few microseconds for any size of image.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int warp_size = 32;
constexpr uint32_t all_lanes = 0xffffffff;
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
    sum += __shfl_xor_sync(all_lanes, sum, 1);
    sum += __shfl_xor_sync(all_lanes, sum, 2);
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

// Data that stays between the kernels, and from one call to the next. There are two sets of counts:
// a call uses the one that the call before did not, and clears the other for the next.
__device__ __align__(16) uint32_t bins[2][levels];
__device__ uint32_t counting;   // the set that is counted in
__device__ uint32_t last_used;  // the set of the last call that is complete

__global__ void __launch_bounds__(block_size, blocks)
    histogram_kernel(const uint8_t* __restrict__ gray, int pixels) {
    const uint32_t now = 1 - last_used;
    if (blockIdx.x == 0 && threadIdx.x == 0) counting = now;
    count_pixels(gray, bins[now], pixels);
}

// Eight counts per lane: those of levels 8 * lane and after.
constexpr int own = levels / warp_size;
struct Counts {
    uint32_t of[own];

    __device__ explicit Counts(const uint32_t* bins) {
        const uint4* four = reinterpret_cast<const uint4*>(bins) + 2 * (threadIdx.x % warp_size);
        const uint4 a = four[0], b = four[1];
        const uint32_t all[own] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
        for (int k = 0; k < own; ++k) of[k] = all[k];
    }

    // How many pixels the lane's first `count` levels have.
    __device__ uint32_t sum(int count) const {
        uint32_t sum = 0;
        for (int k = 0; k < own; ++k) sum += k < count ? of[k] : 0;
        return sum;
    }
};

enum class Task { stretch, equalize };

// The new level of level 8 * lane + k, by contrast stretch. All lanes take part, with the same k.
__device__ uint32_t stretched(const Counts& counts, int k, int pixels) {
    const uint32_t enough = ceil_div(pixels, 1024);
    const int first = own * (threadIdx.x % warp_size);
    int low = levels, high = -1;
    for (int i = 0; i < own; ++i) {
        if (counts.of[own - 1 - i] >= enough) low = first + own - 1 - i;
        if (counts.of[i] >= enough) high = first + i;
    }
    for (int distance = 1; distance < warp_size; distance *= 2) {
        low = min(low, __shfl_xor_sync(all_lanes, low, distance));
        high = max(high, __shfl_xor_sync(all_lanes, high, distance));
    }
    const int level = first + k, width = high - low;
    const int above = min(max(level, low), high) - low;
    return width == 0 ? level : (255 * above + width / 2) / width;
}

// The sum of a value over the lanes up to this one.
__device__ uint32_t sum_of_lanes(uint32_t value) {
    const int lane = threadIdx.x % warp_size;
    for (int distance = 1; distance < warp_size; distance *= 2) {
        const uint32_t before = __shfl_up_sync(all_lanes, value, distance);
        if (lane >= distance) value += before;
    }
    return value;
}

// The same by equalization.
__device__ uint32_t equalized(const Counts& counts, int k, int pixels) {
    const int lane = threadIdx.x % warp_size;
    const uint32_t all = counts.sum(own), up_to = sum_of_lanes(all);
    // The pixels at the lowest level that occurs.
    uint32_t lowest = 0;
    for (int i = own - 1; i >= 0; --i)
        if (counts.of[i] > 0) lowest = counts.of[i];
    lowest = __shfl_sync(all_lanes, lowest, __ffs(__ballot_sync(all_lanes, all > 0)) - 1);
    const uint32_t cdf = up_to - all + counts.sum(k + 1), others = pixels - lowest;
    // 255 times a count needs 64 bits; levels below the lowest do not occur.
    const uint64_t above = cdf < lowest ? 0 : cdf - lowest;
    return others == 0 ? own * lane + k : (255 * above + others / 2) / others;
}

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

// One table per lane, from the counts. A thread makes one entry and fills in eight vectors of
// others.
template <Task task>
__device__ void make_table(ByLane& by_lane, const uint32_t* bins, int pixels) {
    __shared__ uint32_t table[own][warp_size];  // of level own * lane + warp
    const int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
    if (warp < own) {
        const Counts counts(bins);
        table[warp][lane] = task == Task::stretch ? stretched(counts, warp, pixels)
                                                  : equalized(counts, warp, pixels);
    }
    __syncthreads();  // the table is complete
    uint4* vectors = reinterpret_cast<uint4*>(by_lane);
    for (int i = threadIdx.x; i < levels * warp_size / 4; i += block_size) {
        const int level = i / (warp_size / 4);
        const uint32_t entry = table[level % own][level / own];
        vectors[i] = make_uint4(entry, entry, entry, entry);
    }
}

// ANCHOR: kernel
template <Task task>
__global__ void __launch_bounds__(block_size, blocks)
    map_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int pixels) {
    __shared__ __align__(16) ByLane by_lane;
    const int thread = blockIdx.x * block_size + threadIdx.x;
    const int stride = gridDim.x * block_size;
    const int groups = pixels / group;
    const uint4* vectors = reinterpret_cast<const uint4*>(gray);
    uint4* results = reinterpret_cast<uint4*>(out);
    const int last = groups - 1;

    // The first loads are in flight while the table is made.
    uint4 next[ahead] = {};
    for (int k = 0; k < ahead; ++k)
        if (thread + k * stride < groups) next[k] = vectors[last - (thread + k * stride)];
    const uint32_t now = counting;
    make_table<task>(by_lane, bins[now], pixels);
    if (blockIdx.x == 0) {
        if (threadIdx.x < levels) bins[1 - now][threadIdx.x] = 0;
        if (threadIdx.x == 0) last_used = now;
    }
    __syncthreads();  // the tables of all lanes are there

    const int lane = threadIdx.x % warp_size;
    const uint32_t lane_bytes = lane * sizeof(uint32_t);
    for (int i = thread; i < groups; i += ahead * stride) {
#pragma unroll
        for (int k = 0; k < ahead; ++k) {
            const uint4 sixteen = next[k];
            const int now = i + k * stride, later = now + ahead * stride;
            if (later < groups) next[k] = vectors[last - later];
            if (now < groups)
                __stcs(&results[last - now], map_vector(by_lane, lane_bytes, sixteen));
        }
    }
    // Up to fifteen pixels are left.
    const int i = group * groups + thread;
    if (i < pixels) out[i] = by_lane[gray[i]][lane];
}
// ANCHOR_END: kernel

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
    const int grid = resident_grid(histogram_kernel, groups);
    histogram_kernel<<<grid, block_size>>>(gray, pixels);
    map_kernel<task><<<resident_grid(map_kernel<task>, groups), block_size>>>(gray, out, pixels);
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    run<Task::stretch>(gray, out, width * height);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    run<Task::equalize>(gray, out, width * height);
}
