// expect: full points pipeline
// expect on a GPU: right pipeline
// honest: parts of the picture in two streams.
#include "workbook.cuh"

constexpr int levels = 256;
constexpr int warp_size = 32;
constexpr uint32_t all_lanes = 0xffffffff;

// The sum of the four products of the unsigned bytes of `bytes` and `weights`, plus `sum`.
__device__ uint32_t dot(uint32_t bytes, uint32_t weights, uint32_t sum) {
#if __CUDA_ARCH__ >= 610
    return __dp4a(bytes, weights, sum);
#else
    for (int shift = 0; shift < 32; shift += 8)
        sum += (bytes >> shift & 0xff) * (weights >> shift & 0xff);
    return sum;
#endif
}

// ---- Gray, histogram and range -----------------------------------------------------------------

constexpr int gray_threads = 1024;  // a block, of which a multiprocessor has one
constexpr int gray_group = 16;      // pixels per thread and turn

// counts[level][lane]: lane l's counters lie in bank l.
using Replicas = uint32_t[levels][warp_size];

// The gray level of a pixel, in the top byte: multiplying by 2^24 / 100, rounded up, divides the
// hundredths by 100, exactly for every sum up to 25550.
__device__ uint32_t scaled_gray(uint32_t pixel) {
    constexpr uint32_t weights = 30 | 59 << 8 | 11 << 16;
    return dot(pixel, weights, 50) * 167773u;
}

// The top bytes of four words, side by side.
__device__ uint32_t pack_top_bytes(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return __byte_perm(__byte_perm(a, b, 0x0073), __byte_perm(c, d, 0x0073), 0x5410);
}

// Four interleaved pixels, R G B R | G B R G | B R G B, to four gray bytes. The fourth byte of a
// pixel's word belongs to its neighbour: its weight is 0.
__device__ uint32_t gray_quad(uint32_t a, uint32_t b, uint32_t c) {
    return pack_top_bytes(scaled_gray(a), scaled_gray(__byte_perm(a, b, 0x6543)),
                          scaled_gray(__byte_perm(b, c, 0x5432)), scaled_gray(c >> 8));
}

// Sixteen interleaved pixels to sixteen gray bytes.
__device__ uint4 gray_vector(uint4 a, uint4 b, uint4 c) {
    return make_uint4(gray_quad(a.x, a.y, a.z), gray_quad(a.w, b.x, b.y), gray_quad(b.z, b.w, c.x),
                      gray_quad(c.y, c.z, c.w));
}

// One pixel on its own.
__device__ uint32_t gray_of(uint32_t red, uint32_t green, uint32_t blue) {
    return scaled_gray(red | green << 8 | blue << 16) >> 24;
}

__device__ void zero(Replicas& counts) {
    static_assert(levels * warp_size / 4 % gray_threads == 0, "all threads zero alike");
    uint4* vectors = reinterpret_cast<uint4*>(counts);
    for (int i = threadIdx.x; i < levels * warp_size / 4; i += gray_threads)
        vectors[i] = make_uint4(0, 0, 0, 0);
}

// Counts four levels. A level's counters begin 128 * level bytes into the replicas: a dot product
// with 128 at one byte and zeros elsewhere picks that byte out, scales it and adds the lane's
// place.
__device__ void count_quad(Replicas& counts, uint32_t lane_bytes, uint32_t four) {
    constexpr uint32_t row_bytes = warp_size * sizeof(uint32_t);
    char* bytes = reinterpret_cast<char*>(counts);
    for (int k = 0; k < 4; ++k) {
        const uint32_t place = dot(four, row_bytes << (8 * k), lane_bytes);
        atomicAdd(reinterpret_cast<uint32_t*>(bytes + place), 1u);
    }
}
__device__ void count_vector(Replicas& counts, uint32_t lane_bytes, uint4 sixteen) {
    count_quad(counts, lane_bytes, sixteen.x);
    count_quad(counts, lane_bytes, sixteen.y);
    count_quad(counts, lane_bytes, sixteen.z);
    count_quad(counts, lane_bytes, sixteen.w);
}

// Four threads add up the replicas of one level, a quarter each. The eight levels of a warp begin
// at different columns, so that its 32 lanes read 32 banks.
__device__ void add_to_bins(uint32_t* bins, const Replicas& counts) {
    const int quarter = threadIdx.x % 4;
    for (int level = threadIdx.x / 4; level < levels; level += gray_threads / 4) {
        uint32_t sum = 0;
        for (int k = 0; k < 8; ++k) sum += counts[level][4 * ((k + level) % 8) + quarter];
        sum += __shfl_xor_sync(0xffffffff, sum, 1);
        sum += __shfl_xor_sync(0xffffffff, sum, 2);
        if (quarter == 0 && sum > 0) atomicAdd(&bins[level], sum);
    }
}

// Data that stays between the kernels, and from one call to the next. There are two sets of counts:
// a call uses the one that the call before did not, and clears the other for the next.
__device__ __align__(16) uint32_t bins[2][levels];
__device__ uint32_t counting;   // the set that is counted in
__device__ uint32_t last_used;  // the set of the last call that is complete

// ANCHOR: gray
// Gray and counts of one part of the image. A thread's next pixels are in flight while it
// counts.
__global__ void __launch_bounds__(gray_threads, 1)
    gray_histogram_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ gray, int pixels) {
    __shared__ __align__(16) Replicas counts;
    const int thread = blockIdx.x * gray_threads + threadIdx.x;
    const int stride = gridDim.x * gray_threads;
    const int groups = pixels / gray_group;
    const uint4* vectors = reinterpret_cast<const uint4*>(rgb);

    uint4 next[3] = {};
    for (int k = 0; k < 3; ++k)
        if (thread < groups) next[k] = vectors[3 * thread + k];
    zero(counts);
    __syncthreads();  // every counter is zero before the first pixel is counted

    const int lane = threadIdx.x % warp_size;
    const uint32_t lane_bytes = lane * sizeof(uint32_t);
    for (int i = thread; i < groups; i += stride) {
        const uint4 a = next[0], b = next[1], c = next[2];
        const int later = i + stride;
        for (int k = 0; k < 3; ++k)
            if (later < groups) next[k] = vectors[3 * later + k];
        const uint4 sixteen = gray_vector(a, b, c);
        reinterpret_cast<uint4*>(gray)[i] = sixteen;
        count_vector(counts, lane_bytes, sixteen);
    }
    // Up to fifteen pixels are left.
    const int i = gray_group * groups + thread;
    if (i < pixels) {
        const uint32_t level = gray_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
        gray[i] = level;
        atomicAdd(&counts[level][lane], 1u);
    }
    __syncthreads();  // all warps have counted

    const uint32_t now = 1 - last_used;
    if (thread == 0) counting = now;
    add_to_bins(bins[now], counts);
}
// ANCHOR_END: gray

// ---- Range and stretch -------------------------------------------------------------------------

// Gray is stretched from `low` to `low` + `width`: (255 above + width / 2) / width, where `above`
// is the distance from `low`, from 0 to `width`. In units of 2^-24 that is above * factor + half,
// both rounded up: exact, because together they are less than 256 units too much, and the next
// whole number is at least 2^24 / 255 away.
struct Range {
    int low, width;
    uint32_t factor, half;
};

__device__ Range range_of(int low, int high) {
    const uint32_t width = high - low;
    if (width == 0) return {0, levels - 1, 1u << 24, 0};  // as it is
    return {low, int(width), ceil_div(255u << 24, width), ceil_div((width / 2) << 24, width)};
}

// The range of an image of `pixels` pixels, found by each warp for itself: eight levels per lane.
__device__ Range find_range(const uint32_t* bins, int pixels) {
    constexpr int own = levels / warp_size;
    const uint32_t enough = ceil_div(pixels, 1024);
    const int first = own * (threadIdx.x % warp_size);
    const uint4* four = reinterpret_cast<const uint4*>(bins + first);
    const uint4 a = four[0], b = four[1];
    const uint32_t counts[own] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
    int low = levels, high = -1;
    for (int k = 0; k < own; ++k) {
        if (counts[own - 1 - k] >= enough) low = first + own - 1 - k;
        if (counts[k] >= enough) high = first + k;
    }
    for (int distance = 1; distance < warp_size; distance *= 2) {
        low = min(low, __shfl_xor_sync(all_lanes, low, distance));
        high = max(high, __shfl_xor_sync(all_lanes, high, distance));
    }
    return range_of(low, high);
}

// The weights of four bytes: `pick` picks one of them; `own` and `beside` add up the neighbours of
// a pixel among the bytes of its word and of the word to its left or right. As an argument of the
// kernel they need neither registers nor instructions.
struct Weights {
    uint32_t pick[4], own[4], beside[4];
};
constexpr Weights all_weights = {{0x00000001, 0x00000100, 0x00010000, 0x01000000},
                                 {0x00010101, 0x01010101, 0x01010101, 0x01010100},
                                 {0x01010000, 0x01000000, 0x00000001, 0x00000101}};

// Four gray levels to their new ones. Zero, which also stands for what lies outside the image,
// stays zero.
__device__ uint32_t stretch_quad(uint32_t four, const Range& range, const Weights& weights) {
    uint32_t scaled[4];
    for (int k = 0; k < 4; ++k) {
        const int above = dot(four, weights.pick[k], -range.low);
        scaled[k] = max(min(above, range.width), 0) * range.factor + range.half;
    }
    return pack_top_bytes(scaled[0], scaled[1], scaled[2], scaled[3]);
}

// ---- Smoothing ---------------------------------------------------------------------------------

constexpr int warps = 4;
constexpr int block_size = warp_size * warps;
constexpr int radius = 2;
constexpr int side = 2 * radius + 1, whole = side * side;
constexpr int group = 8;  // pixels of a row in a lane

// Rows of a turn, in which everything comes back to its place, and turns in shared memory: one in
// use, the others in flight.
constexpr int turn_rows = side + 1, turns = 3;

// Lanes of a warp that store results. In unaligned rows a lane's last bytes share a word with the
// next lane's first, so that warps overlap by one.
template <bool aligned>
constexpr int strip_lanes = aligned ? 32 : 31;

// Columns that a block stores, and vectors of a row that it needs for them: one more on either
// side, and two for unaligned rows, which begin and end anywhere in a vector.
template <bool aligned>
constexpr int block_columns = warps * strip_lanes<aligned> * group;
template <bool aligned>
constexpr int row_vectors = warps * strip_lanes<aligned> + (aligned ? 2 : 4);
static_assert(row_vectors<true> >= block_size && row_vectors<false> >= block_size,
              "every thread has a vector to copy");

// The rows of a turn.
template <bool aligned>
using Turn = uint2[turn_rows][row_vectors<aligned>];

// How to divide by 25 with one multiplication. A sum s plus `base` has the bits of the float
// 2^23 + bias + s. Multiplied by 1 / 25, plus `offset`, that is 2^23 + s / 25 up to 0.0075; the
// rounding to a whole number that floats above 2^23 have anyway makes it the nearest quotient,
// because no quotient is closer to a half than 1 / 50. It is then the lowest byte. The bias makes
// the offset a whole number.
constexpr uint32_t bias = 17, base = 0x4b000000 + bias;
static_assert((0x800000 + bias) % whole == 0, "the offset is a whole number");
constexpr float offset = 0x800000 - (0x800000 + bias) / whole;
// What the sum of each row begins with, so that five of them make the base (5 * 3435973837 is 1 in
// 32 bits).
constexpr uint32_t row_base = base * 3435973837u;

// The quotient in the lowest byte: by 25,
__device__ uint32_t quotient(uint32_t sum) {
    return __float_as_uint(fmaf(__uint_as_float(sum), 1.0f / whole, offset));
}

// or by any number of pixels near the border, given 1 / number and a little more. A quotient in the
// middle between two whole numbers has to be rounded up; any other is at least 1 / 50 away from a
// middle. 2^-20 of at most 255 is far less than that, and more than all roundings.
__device__ uint32_t quotient(uint32_t sum, float inverse) {
    const float pixels = __uint_as_float(sum) - __uint_as_float(base);
    return __float_as_uint(fmaf(pixels, inverse, 0x1p23f));
}
constexpr float little_more = 1.0f + 0x1p-20f;

// The sums of the five neighbours in the row, for the four pixels of `own`.
__device__ void row_sums(const Weights& weights, uint32_t left, uint32_t own, uint32_t right,
                         uint32_t* sums) {
    for (int k = 0; k < 4; ++k) {
        // The two pixels in the middle have the same weights here: computed once.
        sums[k] = dot(own, weights.own[k == 2 ? 1 : k], row_base);
    }
    for (int k = 0; k < 4; ++k) sums[k] = dot(k < 2 ? left : right, weights.beside[k], sums[k]);
}

// The sum over the last five rows in one column: the newest is added, the one before the last five
// taken away. A place more than that is kept, so that nothing has to be moved; `turn` counts the
// rows modulo 6.
struct Window {
    uint32_t rows[turn_rows] = {}, sum = 0;

    __device__ uint32_t push(uint32_t row, int turn) {
        rows[turn] = row;
        return sum += row - rows[(turn + 1) % turn_rows];
    }
};

// How many of the five places around this one lie in 0..length; 1 for places far outside.
__device__ int places_inside(int place, int length) {
    return max(min(place + radius, length - 1) - max(place - radius, 0) + 1, 1);
}

// The lowest bytes of four words, side by side.
__device__ uint32_t pack_low_bytes(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
}

// Copies the first `bytes` of a vector to shared memory, and zeros for the others, some time until
// the wait for its turn. Needs compute capability 8.0; before, the thread copies by itself.
__device__ void copy_ahead(uint2* shared, const uint8_t* global, int bytes) {
#if __CUDA_ARCH__ >= 800
    const uint32_t place = __cvta_generic_to_shared(shared);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(place), "l"(global),
                 "r"(bytes)
                 : "memory");
#else
    uint8_t* to = reinterpret_cast<uint8_t*>(shared);
    for (int k = 0; k < int(sizeof(uint2)); ++k) to[k] = k < bytes ? global[k] : 0;
#endif
}

__device__ void end_of_turn() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Waits until this thread's copies of the oldest turn in flight are done.
__device__ void wait_for_turn() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(turns - 2) : "memory");
#endif
}

// Where the columns of a block lie: all columns and rows that it loads are in the image, or at
// least all rows.
enum class Where { inside, at_side, anywhere };

// A block's columns of the image, from `left` on, eight per lane.
template <bool aligned, Where where>
struct Strip {
    const uint8_t* gray;
    int width, height, left;

    // This thread's vector in a row of shared memory; the one before it is its left neighbour.
    __device__ int vector() const {
        return 1 + strip_lanes<aligned> * int(threadIdx.x / warp_size) + threadIdx.x % warp_size;
    }

    __device__ int column() const { return left + group * (vector() - 1); }

    // Calls `use(row, vector)` for the vectors of a turn that this thread copies and stretches.
    template <class Use>
    __device__ static void own_vectors(Use use) {
        constexpr int beyond = row_vectors<aligned> - block_size;
        for (int row = 0; row < turn_rows; ++row) use(row, int(threadIdx.x));
        // The last of each row, where it has more than the block has threads.
        if (beyond > 0 && threadIdx.x < beyond * turn_rows)
            use(threadIdx.x / max(beyond, 1), block_size + threadIdx.x % max(beyond, 1));
    }

    // Copies the rows of a turn from row `first` on.
    __device__ void copy(Turn<aligned>& turn, int first) const {
        own_vectors([&](int row, int vector) {
            const int x = left + group * (vector - 1);
            if (aligned) {
                copy_aligned(&turn[row][vector], first + row, x);
            } else {
                copy_unaligned(&turn[row][vector], first + row, x);
            }
        });
    }

    __device__ void copy_aligned(uint2* to, int row, int x) const {
        const bool exists = where == Where::inside || (x >= 0 && x < width);
        const int line = where == Where::anywhere ? min(max(row, 0), height - 1) : row;
        const int bytes = exists && line == row ? group : 0;
        copy_ahead(to, gray + unsigned(line * width + (exists ? x : 0)), bytes);
    }

    // Copies the vector in which the pixel is.
    __device__ void copy_unaligned(uint2* to, int row, int x) const {
        const int first = (row * width + x) & ~7;
        int bytes = group;
        if (where != Where::inside) {
            const bool exists = row >= 0 && row < height && first >= 0;
            bytes = exists ? min(max(width * height - first, 0), group) : 0;
        }
        copy_ahead(to, bytes == 0 ? gray : gray + first, bytes);
    }

    // Whether the warp has columns of the image.
    __device__ bool has_columns() const {
        return left + group * strip_lanes<aligned> * int(threadIdx.x / warp_size) < width;
    }

    // Stretches what this thread has copied.
    __device__ static void stretch(Turn<aligned>& turn, const Range& range,
                                   const Weights& weights) {
        own_vectors([&](int row, int vector) {
            const uint2 old = turn[row][vector];
            turn[row][vector] = make_uint2(stretch_quad(old.x, range, weights),
                                           stretch_quad(old.y, range, weights));
        });
    }

    // The lane's eight pixels, and the four before and after them; zeros outside the image.
    __device__ void pixels(const uint2 (&vectors)[row_vectors<aligned>], int row,
                           const uint32_t (&kept)[4], uint32_t (&words)[4]) const {
        if (aligned) {
            const uint2 own = vectors[vector()];
            words[0] = vectors[vector() - 1].y;
            words[1] = own.x;
            words[2] = own.y;
            words[3] = vectors[vector() + 1].x;
            return;
        }
        const int skipped = (row * width + left) & 7, shift = 8 * (skipped & 3);
        const uint32_t* from =
            reinterpret_cast<const uint32_t*>(&vectors[vector()]) - 1 + skipped / 4;
        for (int k = 0; k < 4; ++k) {
            words[k] = __funnelshift_r(from[k], from[k + 1], shift);
            if (where != Where::inside) words[k] &= kept[k];
        }
    }

    // Which of four bytes, from column number `first` of the lane on, lie in the row.
    __device__ uint32_t kept(int first) const {
        uint32_t mask = 0;
        for (int k = 0; k < 4; ++k) {
            const int x = column() + first + k;
            if (x >= 0 && x < width) mask |= 0xffu << (8 * k);
        }
        return mask;
    }

    __device__ void store(uint8_t* out, uint32_t first, uint32_t second, int row) const {
        const int place = row * width + column();
        if (!aligned) {
            store_unaligned(out, first, second, place);
        } else if (where == Where::inside || column() < width) {
            __stcs(reinterpret_cast<uint2*>(out + unsigned(place)), make_uint2(first, second));
        }
    }

    // The two words that begin in the lane's eight bytes, with what the next lane has of them.
    __device__ void store_unaligned(uint8_t* out, uint32_t first, uint32_t second,
                                    int place) const {
        const int skipped = -place & 3;
        const uint32_t after = __shfl_down_sync(all_lanes, first, 1);
        const uint32_t a = __funnelshift_r(first, second, 8 * skipped);
        const uint32_t b = __funnelshift_r(second, after, 8 * skipped);
        if (threadIdx.x % warp_size >= strip_lanes<aligned>) return;
        // Of the row, from the lane's first byte.
        const int end = where == Where::inside ? 2 * group : width - column();
        uint32_t* words = reinterpret_cast<uint32_t*>(out + unsigned(place + skipped));
        if (skipped + 4 <= end) words[0] = a;
        if (skipped + 8 <= end) words[1] = b;
        if (where == Where::inside) return;
        // The bytes of a row before its first whole word, and after its last.
        if (column() == 0)
#pragma unroll 1
            for (int k = 0; k < skipped && k < end; ++k) out[place + k] = first >> (8 * k);
        if (end <= skipped || end >= skipped + 8) return;
        const int done = skipped + (end < skipped + 4 ? 0 : 4);
#pragma unroll 1
        for (int k = done; k < end; ++k)
            out[place + k] = (done == skipped ? a : b) >> (8 * (k - done));
    }
};

// What the lane needs near a border.
struct Border {
    uint32_t kept[4];
    float inverses[group];
};

// The rows of a turn, of which `first` is the first; results for rows from `top` to `bottom`.
template <bool aligned, Where where>
__device__ void smooth_turn(const Strip<aligned, where>& strip, const Border& border,
                            const Turn<aligned>& fetched, Window (&windows)[group],
                            uint8_t* __restrict__ out, int first, int top, int bottom,
                            const Weights& weights) {
    constexpr bool inside = where == Where::inside;
    // In aligned rows, a lane's columns in the middle have all neighbours in their rows.
    constexpr bool only_ends = aligned && where == Where::at_side;
#pragma unroll
    for (int turn = 0; turn < turn_rows; ++turn) {
        const int row = first + turn, y = row - radius;
        uint32_t words[4], sums[group];
        strip.pixels(fetched[turn], row, border.kept, words);
        row_sums(weights, words[0], words[1], words[2], sums);
        row_sums(weights, words[1], words[2], words[3], sums + 4);
#pragma unroll
        for (int k = 0; k < group; ++k) sums[k] = windows[k].push(sums[k], turn);
        if (where != Where::anywhere ? turn < 2 * radius && first < top : y < top || y >= bottom)
            continue;
        if (inside) {
            for (int k = 0; k < group; ++k) sums[k] = quotient(sums[k]);
        } else {
            const float rows =
                where == Where::anywhere ? float(side) / places_inside(y, strip.height) : 1.0f;
            for (int k = 0; k < group; ++k) {
                const bool whole_row = only_ends && k >= radius && k < group - radius;
                sums[k] =
                    whole_row ? quotient(sums[k]) : quotient(sums[k], border.inverses[k] * rows);
            }
        }
        strip.store(out, pack_low_bytes(sums[0], sums[1], sums[2], sums[3]),
                    pack_low_bytes(sums[4], sums[5], sums[6], sums[7]), y);
    }
}

// The stretched and smoothed rows from `top` to `bottom`.
template <bool aligned, Where where>
__device__ void smooth_strip(const Strip<aligned, where>& strip, uint8_t* __restrict__ out, int top,
                             int bottom, Turn<aligned>* fetched, const uint32_t* bins,
                             const Weights& weights) {
    Border border = {{strip.kept(-4), strip.kept(0), strip.kept(4), strip.kept(8)}, {}};
    constexpr bool inside = where == Where::inside;
    for (int k = 0; k < group && !inside; ++k)
        border.inverses[k] = little_more / (side * places_inside(strip.column() + k, strip.width));

    const int begin = top - radius, end = bottom + radius;
    for (int ahead = 0; ahead < turns - 1; ++ahead) {
        if (begin + ahead * turn_rows < end) strip.copy(fetched[ahead], begin + ahead * turn_rows);
        end_of_turn();
    }
    const Range range = find_range(bins, strip.width * strip.height);
    Window windows[group];
    int now = 0, free = turns - 1;
    for (int first = begin; first < end; first += turn_rows) {
        wait_for_turn();
        strip.stretch(fetched[now], range, weights);
        __syncthreads();  // the turn is stretched, and all have read what is overwritten now
        const int next = first + (turns - 1) * turn_rows;
        if (next < end) strip.copy(fetched[free], next);
        end_of_turn();
        // In unaligned rows the question takes more registers than it saves time.
        if (inside || !aligned || strip.has_columns())
            smooth_turn(strip, border, fetched[now], windows, out, first, top, bottom, weights);
        free = now;
        now = now + 1 == turns ? 0 : now + 1;
    }
}

// Rows of a low band. With the four rows beside them they are whole turns.
constexpr int low_rows = 8;
static_assert((low_rows + 2 * radius) % turn_rows == 0, "whole turns");

// From the last row of the image to the first: `tall` bands of `rows` rows, then `low` ones of
// `low_rows`. Blocks that end last have less to do while others have nothing.
struct Bands {
    int rows, tall, low;

    // The rows of a band, from the first to the one after the last.
    __device__ int2 of(int band, int height) const {
        const int bottom = height - min(band, tall) * rows - max(band - tall, 0) * low_rows;
        return make_int2(max(bottom - (band < tall ? rows : low_rows), 0), bottom);
    }
};

// All rows, the last ones by the blocks that begin first.
template <bool aligned>
__global__ void __launch_bounds__(block_size)
    stretch_smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int width,
                          int height, Bands bands, Weights weights) {
    __shared__ Turn<aligned> fetched[turns];
    const uint32_t now = counting;
    if (blockIdx.x == 0 && blockIdx.y == 0) {
        for (int level = threadIdx.x; level < levels; level += block_size) bins[1 - now][level] = 0;
        if (threadIdx.x == 0) last_used = now;
    }
    const int left = blockIdx.x * block_columns<aligned>;
    const int2 rows = bands.of(blockIdx.y, height);
    const int top = rows.x, bottom = rows.y;
    // The same for the whole block. Vectors of unaligned rows may begin some bytes before their
    // first pixel, and end after the last.
    const bool columns_inside = left > 0 && left + group * row_vectors<aligned> <= width;
    const bool rows_inside =
        top > radius && bottom + radius < height && (bottom - top + 2 * radius) % turn_rows == 0;
    if (rows_inside && columns_inside) {
        smooth_strip(Strip<aligned, Where::inside>{gray, width, height, left}, out, top, bottom,
                     fetched, bins[now], weights);
    } else if (rows_inside) {
        smooth_strip(Strip<aligned, Where::at_side>{gray, width, height, left}, out, top, bottom,
                     fetched, bins[now], weights);
    } else {
        smooth_strip(Strip<aligned, Where::anywhere>{gray, width, height, left}, out, top, bottom,
                     fetched, bins[now], weights);
    }
}

// ---- The pipeline ------------------------------------------------------------------------------

int multiprocessors() {
    int device = 0, count = 0;
    WORKBOOK_CHECK(cudaGetDevice(&device));
    WORKBOOK_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
    return count;
}

// As many blocks as the GPU holds at once, and no more than the pixels have work for.
int gray_blocks(int pixels) {
    return max(1, min(multiprocessors(), ceil_div(pixels, gray_threads * gray_group)));
}

// Tall bands have as few rows as let `waves` times the blocks that run at once have work, but not
// so few that the four rows that each loads besides outweigh them; with those whole turns. Low
// bands are there for three quarters of the blocks that run at once.
template <bool aligned>
Bands bands_of(int width, int height) {
    constexpr int waves = 3;
    int resident = 0;
    WORKBOOK_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &resident, stretch_smooth_kernel<aligned>, block_size, 0));
    const int at_once = resident * multiprocessors();
    const int across = ceil_div(width, block_columns<aligned>);
    const int wanted = ceil_div(height, max(1, waves * at_once / across));
    const int loaded = max(wanted, low_rows) + 2 * radius;
    const int rows = ceil_div(loaded, turn_rows) * turn_rows - 2 * radius;
    const int low = rows > low_rows ? 3 * at_once / (4 * across) : 0;
    const int tall = max(height - low * low_rows, 0) / rows;
    return {rows, tall, ceil_div(height - tall * rows, low_rows)};
}

template <bool aligned>
void stretch_smooth(const uint8_t* gray, uint8_t* out, int width, int height, cudaStream_t stream) {
    const Bands bands = bands_of<aligned>(width, height);
    const dim3 grid(ceil_div(width, block_columns<aligned>), bands.tall + bands.low);
    stretch_smooth_kernel<aligned>
        <<<grid, block_size, 0, stream>>>(gray, out, width, height, bands, all_weights);
}

// The image's last part, one in so many, is turned to gray after the last copy.
constexpr int last_part = 32;

// ANCHOR: pipeline
void pipeline(const uint8_t* host_rgb, uint8_t* host_out, int width, int height) {
    const int pixels = width * height;
    uint8_t *rgb, *gray, *out;
    WORKBOOK_CHECK(cudaMalloc(&rgb, 3 * pixels));
    WORKBOOK_CHECK(cudaMalloc(&gray, pixels));
    WORKBOOK_CHECK(cudaMalloc(&out, pixels));
    // The system cannot move page-locked memory, so the GPU copies it without the driver's help.
    WORKBOOK_CHECK(
        cudaHostRegister(const_cast<uint8_t*>(host_rgb), 3 * pixels, cudaHostRegisterDefault));
    WORKBOOK_CHECK(cudaHostRegister(host_out, pixels, cudaHostRegisterDefault));
    cudaStream_t up, work;
    WORKBOOK_CHECK(cudaStreamCreate(&up));
    WORKBOOK_CHECK(cudaStreamCreate(&work));
    cudaEvent_t arrived[2];
    for (cudaEvent_t& event : arrived)
        WORKBOOK_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));

    // The second part begins at a vector.
    const int begins[3] = {0, (pixels - pixels / last_part) / gray_group * gray_group, pixels};
    for (int k = 0; k < 2; ++k) {
        const int first = begins[k], size = begins[k + 1] - first;
        if (size == 0) continue;
        WORKBOOK_CHECK(cudaMemcpyAsync(rgb + 3 * first, host_rgb + 3 * first, 3 * size,
                                       cudaMemcpyHostToDevice, up));
        WORKBOOK_CHECK(cudaEventRecord(arrived[k], up));
        WORKBOOK_CHECK(cudaStreamWaitEvent(work, arrived[k], 0));
        gray_histogram_kernel<<<gray_blocks(size), gray_threads, 0, work>>>(rgb + 3 * first,
                                                                            gray + first, size);
    }
    if (width % group == 0) {
        stretch_smooth<true>(gray, out, width, height, work);
    } else {
        stretch_smooth<false>(gray, out, width, height, work);
    }
    WORKBOOK_CHECK(cudaMemcpyAsync(host_out, out, pixels, cudaMemcpyDeviceToHost, work));
    // host_out is complete, and so is all that it came from
    WORKBOOK_CHECK(cudaStreamSynchronize(work));

    for (cudaEvent_t event : arrived) WORKBOOK_CHECK(cudaEventDestroy(event));
    WORKBOOK_CHECK(cudaStreamDestroy(up));
    WORKBOOK_CHECK(cudaStreamDestroy(work));
    WORKBOOK_CHECK(cudaHostUnregister(const_cast<uint8_t*>(host_rgb)));
    WORKBOOK_CHECK(cudaHostUnregister(host_out));
    WORKBOOK_CHECK(cudaFree(rgb));
    WORKBOOK_CHECK(cudaFree(gray));
    WORKBOOK_CHECK(cudaFree(out));
}
// ANCHOR_END: pipeline
