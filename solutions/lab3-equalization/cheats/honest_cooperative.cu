// expect: full points contrast_stretch
// expect on a GPU: right contrast_stretch
// honest: one cooperative launch whose blocks wait for each other.
#include <cooperative_groups.h>

#include "workbook.cuh"

constexpr int levels = 256;
constexpr int warp_size = 32;
constexpr uint32_t all_lanes = 0xffffffff;
constexpr int block_size = 1024;
constexpr int group = 16;  // pixels per load
constexpr int ahead = 2;   // vectors in flight per thread
constexpr int held = 2;    // vectors that it keeps in registers

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

// Shared memory of a block: counters, later the table; then vectors of pixels, a round of the block
// after another. Each thread reads only those that it has stored.
extern __shared__ uint4 on_chip[];
constexpr int round_bytes = block_size * sizeof(uint4);

__device__ ByLane& by_lane() { return *reinterpret_cast<ByLane*>(on_chip); }

__device__ uint4& kept_vector(int round) {
    return on_chip[sizeof(ByLane) / sizeof(uint4) + round * block_size + threadIdx.x];
}

// The thread's part of the picture, a vector in each round of its block: the first rounds stay in
// registers, the next `kept` in shared memory.
struct Part {
    int first = blockIdx.x * block_size + threadIdx.x;
    int stride = gridDim.x * block_size;
    int groups, rounds, kept;

    __device__ Part(int pixels, int kept)
        : groups(pixels / group),
          rounds(first < groups ? ceil_div(groups - first, stride) : 0),
          kept(kept) {}

    __device__ int vector(int round) const { return first + round * stride; }
    __device__ bool stays(int round) const { return round < held + kept; }
};

// What goes into registers.
__device__ void read_first(uint4 (&own)[held], const uint4* __restrict__ vectors,
                           const Part& part) {
#pragma unroll
    for (int k = 0; k < held; ++k)
        own[k] = k < part.rounds ? __ldcs(&vectors[part.vector(k)]) : make_uint4(0, 0, 0, 0);
}

// What is read again first.
__device__ void read_last(uint4 (&next)[ahead], const uint4* __restrict__ vectors,
                          const Part& part) {
#pragma unroll
    for (int k = 0; k < ahead; ++k) {
        const int round = part.rounds - 1 - k;
        next[k] = part.stays(round) ? make_uint4(0, 0, 0, 0) : vectors[part.vector(round)];
    }
}

// Counts the block's part of the image and adds it to the bins.
__device__ void count_pixels(const uint8_t* __restrict__ gray, uint32_t* bins, int pixels,
                             const Part& part, const uint4 (&own)[held]) {
    const uint4* vectors = reinterpret_cast<const uint4*>(gray);
    ByLane& counts = by_lane();

    // The first loads are in flight while the counters are zeroed.
    uint4 next[ahead] = {};
    for (int k = 0; k < ahead; ++k)
        if (held + k < part.rounds) next[k] = __ldcs(&vectors[part.vector(held + k)]);
    zero(counts);
    __syncthreads();  // every counter is zero before the first pixel is counted

    const int lane = threadIdx.x % warp_size;
    const uint32_t lane_bytes = lane * sizeof(uint32_t);
#pragma unroll
    for (int k = 0; k < held; ++k)
        if (k < part.rounds) count_vector(counts, lane_bytes, own[k]);
    for (int round = held; round < part.rounds; round += ahead) {
#pragma unroll
        for (int k = 0; k < ahead; ++k) {
            const uint4 sixteen = next[k];
            const int now = round + k, later = now + ahead;
            if (later < part.rounds) {
                const uint4* vector = &vectors[part.vector(later)];
                next[k] = part.stays(later) ? __ldcs(vector) : *vector;
            }
            if (now < part.rounds) {
                count_vector(counts, lane_bytes, sixteen);
                if (part.stays(now)) kept_vector(now - held) = sixteen;
            }
        }
    }
    // Up to fifteen pixels are left.
    const int i = group * part.groups + part.first;
    if (i < pixels) atomicAdd(&counts[gray[i]][lane], 1u);
    __syncthreads();  // all warps have counted

    add_to_bins(bins, counts);
}

// Data that stays between the two halves, and from one call to the next. There are two sets of
// counts: a call uses the one that the call before did not, and clears the other for the next.
__device__ __align__(16) uint32_t bins[2][levels];
__device__ uint32_t counting;   // the set that is counted in
__device__ uint32_t last_used;  // the set of the last call that is complete

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

// Maps the block's part of the image. `now` is the set of counts that was counted in.
template <Task task>
__device__ void map_pixels(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int pixels,
                           const Part& part, uint32_t now, const uint4 (&own)[held],
                           uint4 (&next)[ahead]) {
    const uint4* vectors = reinterpret_cast<const uint4*>(gray);
    uint4* results = reinterpret_cast<uint4*>(out);
    ByLane& table = by_lane();
    make_table<task>(table, bins[now], pixels);
    if (blockIdx.x == 0) {
        if (threadIdx.x < levels) bins[1 - now][threadIdx.x] = 0;
        if (threadIdx.x == 0) last_used = now;
    }
    __syncthreads();  // the tables of all lanes are there

    const int lane = threadIdx.x % warp_size;
    const uint32_t lane_bytes = lane * sizeof(uint32_t);
#pragma unroll
    for (int k = 0; k < held; ++k)
        if (k < part.rounds)
            __stcs(&results[part.vector(k)], map_vector(table, lane_bytes, own[k]));
    for (int round = part.rounds - 1; !part.stays(round); round -= ahead) {
#pragma unroll
        for (int k = 0; k < ahead; ++k) {
            const uint4 sixteen = next[k];
            const int now = round - k, later = now - ahead;
            if (!part.stays(later)) next[k] = vectors[part.vector(later)];
            if (!part.stays(now))
                __stcs(&results[part.vector(now)], map_vector(table, lane_bytes, sixteen));
        }
    }
    for (int round = min(held + part.kept, part.rounds) - 1; round >= held; --round)
        __stcs(&results[part.vector(round)],
               map_vector(table, lane_bytes, kept_vector(round - held)));
    // Up to fifteen pixels are left.
    const int i = group * part.groups + part.first;
    if (i < pixels) out[i] = table[gray[i]][lane];
}

template <Task task>
__global__ void __launch_bounds__(block_size, 1)
    both_passes(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int pixels, int kept) {
    const uint4* vectors = reinterpret_cast<const uint4*>(gray);
    const Part part(pixels, kept);
    const uint32_t now = 1 - last_used;
    uint4 own[held], next[ahead];
    read_first(own, vectors, part);
    count_pixels(gray, bins[now], pixels, part, own);
    read_last(next, vectors, part);
    cooperative_groups::this_grid().sync();  // all blocks have added their counts
    map_pixels<task>(gray, out, pixels, part, now, own, next);
}

// The same in two launches, for GPUs without cooperative ones.
__global__ void __launch_bounds__(block_size, 1)
    first_pass(const uint8_t* __restrict__ gray, int pixels) {
    const Part part(pixels, 0);
    const uint32_t now = 1 - last_used;
    if (blockIdx.x == 0 && threadIdx.x == 0) counting = now;
    uint4 own[held];
    read_first(own, reinterpret_cast<const uint4*>(gray), part);
    count_pixels(gray, bins[now], pixels, part, own);
}

template <Task task>
__global__ void __launch_bounds__(block_size, 1)
    second_pass(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int pixels) {
    const uint4* vectors = reinterpret_cast<const uint4*>(gray);
    const Part part(pixels, 0);
    uint4 own[held], next[ahead];
    read_first(own, vectors, part);
    read_last(next, vectors, part);
    map_pixels<task>(gray, out, pixels, part, counting, own, next);
}

int attribute(cudaDeviceAttr which) {
    int device = 0, value = 0;
    WORKBOOK_CHECK(cudaGetDevice(&device));
    WORKBOOK_CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

template <Task task>
void run(const uint8_t* gray, uint8_t* out, int pixels) {
    // A block on each multiprocessor, but no more than the image needs.
    const int groups = pixels / group;
    const int multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
    const int grid = max(1, min(multiprocessors, ceil_div(groups, block_size)));
    if (!attribute(cudaDevAttrCooperativeLaunch)) {
        first_pass<<<grid, block_size, sizeof(ByLane)>>>(gray, pixels);
        second_pass<task><<<grid, block_size, sizeof(ByLane)>>>(gray, out, pixels);
        return;
    }
    // As many rounds as fit beside the counters and one lane's table, and as there are.
    const int most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    const int room = most - static_cast<int>(sizeof(ByLane) + levels * sizeof(uint32_t));
    const int rounds = ceil_div(groups, grid * block_size);
    int kept = max(0, min(room / round_bytes, rounds - held));
    const int bytes = sizeof(ByLane) + kept * round_bytes;
    WORKBOOK_CHECK(cudaFuncSetAttribute(both_passes<task>,
                                        cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    void* arguments[] = {&gray, &out, &pixels, &kept};
    WORKBOOK_CHECK(
        cudaLaunchCooperativeKernel(both_passes<task>, grid, block_size, arguments, bytes));
}

void contrast_stretch(const uint8_t* gray, uint8_t* out, int width, int height) {
    run<Task::stretch>(gray, out, width * height);
}

void equalize(const uint8_t* gray, uint8_t* out, int width, int height) {
    run<Task::equalize>(gray, out, width * height);
}
