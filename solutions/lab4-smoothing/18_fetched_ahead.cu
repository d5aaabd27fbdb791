// Rung 18: fetch rows ahead into shared memory.
//
// tasks: smooth_box, smooth_triangular
// level: expert
//
// Before:   a lane has one word of a row at a time, so that every word costs its own shuffles,
//           shifts and index computations; the border is extra work before the strips begin; and
//           the loads in flight occupy registers that the sums need.
// Change:   `cp.async` copies rows to shared memory, six rows ahead, without a register in between.
//           A lane has eight pixels of a row. It needs one word of its neighbour on each side, also
//           from shared memory: the four warps of a block share their rows, so that columns are
//           loaded twice only where two blocks meet. Pixels outside the image arrive as zeros, and
//           only the divisor knows the border. Rows that begin at a multiple of eight bytes need no
//           shifts. There are twice as many blocks as run at once, so that the last blocks to end
//           are short.
// Expected: seven instructions per pixel instead of twelve. Then the memory is the limit, and the
//           rows that two blocks load.
#include "workbook.cuh"

constexpr int warps = 4;
constexpr int block_size = 32 * warps;
constexpr int radius = 2;
constexpr int group = 8;  // pixels of a row in a lane
constexpr uint32_t all_lanes = 0xffffffff;

// Rows of a turn, after which every window is back at its first place, and turns in shared memory:
// one in use, the others in flight.
constexpr int turn_rows = 6, turns = 2;

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

// ---- Sums and quotients ------------------------------------------------------------------------

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

// How to divide by `total` with one multiplication. A sum s plus `base` has the bits of the float
// 2^23 + bias + s. Multiplied by 1 / total, plus `offset`, that is 2^23 + s / total up to 0.0075
// for 25 and 0.003 for 81; a float above 2^23 has no fraction, so it is rounded to the nearest
// whole number: the right quotient, because total is odd and no quotient is closer to a half than
// 1 / (2 total). The quotient is then the lowest byte. The bias makes the offset a whole number.
template <bool triangular>
struct Division {
    static constexpr uint32_t total = triangular ? 81 : 25;
    static constexpr uint32_t bias = triangular ? 76 : 17;
    static constexpr uint32_t base = 0x4b000000 + bias;
    static_assert((0x800000 + bias) % total == 0, "the offset is a whole number");
    static constexpr float offset = 0x800000 - (0x800000 + bias) / total;
    // Every sum consists of the sums of five rows, with weights of 5 or 9 in all. Each of the five
    // starts with this number, so that together they start with the base (5 * 3435973837 and
    // 9 * 954437177 are 1 in 32 bits).
    static constexpr uint32_t row_base = base * (triangular ? 954437177u : 3435973837u);
};

// The quotient in the lowest byte: by the total,
template <bool triangular>
__device__ uint32_t quotient(uint32_t sum) {
    using D = Division<triangular>;
    return __float_as_uint(fmaf(__uint_as_float(sum), 1.0f / D::total, D::offset));
}

// or by any number of weights near the border, given 1 / weights and a little more. A quotient in
// the middle between two whole numbers has to be rounded up; any other is at least 1 / (2 * 81)
// away from a middle. 2^-20 of at most 255 is far less than that, and more than all roundings.
template <bool triangular>
__device__ uint32_t quotient(uint32_t sum, float inverse) {
    const float whole = __uint_as_float(sum) - __uint_as_float(Division<triangular>::base);
    return __float_as_uint(fmaf(whole, inverse, 0x1p23f));
}
constexpr float little_more = 1.0f + 0x1p-20f;

// The weights of four bytes for the pixels of a word: of its own bytes, and of those of the word to
// its left or right. As an argument of the kernel they need neither registers nor instructions.
struct Weights {
    uint32_t own[4], beside[4];
};

template <bool triangular>
constexpr Weights weights() {
    if (triangular)
        return {{0x00010203, 0x01020302, 0x02030201, 0x03020100},
                {0x02010000, 0x01000000, 0x00000001, 0x00000102}};
    return {{0x00010101, 0x01010101, 0x01010101, 0x01010100},
            {0x01010000, 0x01000000, 0x00000001, 0x00000101}};
}

// The sums of the five neighbours in the row, for the four pixels of `own`.
template <bool triangular>
__device__ void row_sums(const Weights& weights, uint32_t left, uint32_t own, uint32_t right,
                         uint32_t* sums) {
    for (int k = 0; k < 4; ++k) {
        // The box's two pixels in the middle have the same weights here: computed once.
        const int same = !triangular && k == 2 ? 1 : k;
        sums[k] = dot(own, weights.own[same], Division<triangular>::row_base);
    }
    for (int k = 0; k < 4; ++k) sums[k] = dot(k < 2 ? left : right, weights.beside[k], sums[k]);
}

// The sum over the last five rows in one column; `push` takes the sum of the newest row. `turn`
// counts the rows modulo 6.
template <bool triangular>
struct Window;

// Adds the newest row and subtracts the one that leaves the window. There is one place more than
// the window has, so that nothing has to be moved.
template <>
struct Window<false> {
    static constexpr int total = 5;
    uint32_t rows[turn_rows] = {}, sum = 0;

    __device__ uint32_t push(uint32_t row, int turn) {
        rows[turn] = row;
        return sum += row - rows[(turn + 1) % turn_rows];
    }
    // The weights of the neighbours that lie beyond a border at this distance.
    static __device__ int beyond(int distance) { return max(radius - distance, 0); }
};

// 1 2 3 2 1 are three sums of three added up.
template <>
struct Window<true> {
    static constexpr int total = 9;
    uint32_t rows[3] = {}, threes[3] = {};

    __device__ uint32_t push(uint32_t row, int turn) {
        rows[turn % 3] = row;
        threes[turn % 3] = rows[0] + rows[1] + rows[2];
        return threes[0] + threes[1] + threes[2];
    }
    static __device__ int beyond(int distance) {
        const int missing = max(radius - distance, 0);
        return missing * (missing + 1) / 2;
    }
};

// The weights of the neighbours of `place` that lie in 0..length, added up.
template <bool triangular>
__device__ int weights_inside(int place, int length) {
    using W = Window<triangular>;
    return max(W::total - W::beyond(place) - W::beyond(length - 1 - place), 1);
}

// ---- Loading and storing -----------------------------------------------------------------------

// Copies the first `bytes` of a vector to shared memory, and zeros for the others; done when the
// wait for its turn is over. Needs compute capability 8.0; before, the thread copies by itself.
template <class Vector>
__device__ void copy_ahead(Vector* shared, const uint8_t* global, int bytes) {
#if __CUDA_ARCH__ >= 800
    const uint32_t place = __cvta_generic_to_shared(shared);
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(place), "l"(global),
                 "n"(sizeof(Vector)), "r"(bytes)
                 : "memory");
#else
    uint8_t* to = reinterpret_cast<uint8_t*>(shared);
    for (int k = 0; k < int(sizeof(Vector)); ++k) to[k] = k < bytes ? global[k] : 0;
#endif
}

__device__ void end_of_turn() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Waits until this thread's copies of the oldest turn in flight are done.
template <int turns>
__device__ void wait_for_turn() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(turns - 2) : "memory");
#endif
}

// The lowest bytes of four words, side by side.
__device__ uint32_t pack_low_bytes(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
}

// The rows of a turn.
template <bool aligned>
using Turn = uint2[turn_rows][row_vectors<aligned>];

// Where the columns of a block lie: all columns and rows that it loads are in the image, or at
// least all rows.
enum class Where { inside, at_side, anywhere };

// The block's columns of the image, from `left` on, eight per lane.
template <bool aligned, Where where>
struct Strip {
    const uint8_t* gray;
    int width, height, left;

    // This thread's vector in a row of shared memory; the one before it is its left neighbour.
    __device__ int vector() const {
        return 1 + strip_lanes<aligned> * int(threadIdx.x / 32) + threadIdx.x % 32;
    }

    __device__ int column() const { return left + group * (vector() - 1); }

    // Copies the rows of a turn from row `first` on.
    __device__ void copy_turn(Turn<aligned>& turn, int first) const {
        for (int row = 0; row < turn_rows; ++row)
            copy(&turn[row][threadIdx.x], first + row, threadIdx.x);
        // The last vectors of each row, where it has more than the block has threads.
        constexpr int beyond = row_vectors<aligned> - block_size;
        if (beyond == 0 || threadIdx.x >= beyond * turn_rows) return;
        const int row = threadIdx.x / max(beyond, 1);
        const int vector = block_size + threadIdx.x % max(beyond, 1);
        copy(&turn[row][vector], first + row, vector);
    }

    // Copies a vector of a row.
    __device__ void copy(uint2* slot, int row, int vector) const {
        const int x = left + group * (vector - 1);
        if (!aligned) {
            copy_unaligned(slot, row, x);
            return;
        }
        const bool exists = where == Where::inside || (x >= 0 && x < width);
        const int line = where == Where::anywhere ? min(max(row, 0), height - 1) : row;
        const int bytes = exists && line == row ? group : 0;
        copy_ahead(slot, gray + unsigned(line * width + (exists ? x : 0)), bytes);
    }

    __device__ void copy_unaligned(uint2* slot, int row, int x) const {
        const int offset = row * width + x & ~7;
        int bytes = group;
        if (where != Where::inside) {
            const bool exists = row >= 0 && row < height && offset >= 0;
            bytes = exists ? min(max(width * height - offset, 0), group) : 0;
        }
        copy_ahead(slot, bytes == 0 ? gray : gray + offset, bytes);
    }

    // The lane's eight pixels and the four before and after them; zeros outside the image.
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
        const int offset = row * width + column();
        if (aligned) {
            if (where == Where::inside || column() < width)
                *reinterpret_cast<uint2*>(out + unsigned(offset)) = make_uint2(first, second);
            return;
        }
        const int skipped = -offset & 3;
        const uint32_t after = __shfl_down_sync(all_lanes, first, 1);
        const uint32_t a = __funnelshift_r(first, second, 8 * skipped);
        const uint32_t b = __funnelshift_r(second, after, 8 * skipped);
        if (threadIdx.x % 32 >= strip_lanes<aligned>) return;
        // Of the row, from the lane's first byte.
        const int end = where == Where::inside ? 16 : width - column();
        uint32_t* words = reinterpret_cast<uint32_t*>(out + unsigned(offset + skipped));
        if (skipped + 4 <= end) words[0] = a;
        if (skipped + 8 <= end) words[1] = b;
        if (where == Where::inside) return;
        // The bytes of a row before its first whole word, and after its last.
        if (column() == 0)
#pragma unroll 1
            for (int k = 0; k < skipped && k < end; ++k) out[offset + k] = first >> (8 * k);
        if (end <= skipped || end >= skipped + 8) return;
        const int done = skipped + (end < skipped + 4 ? 0 : 4);
#pragma unroll 1
        for (int k = done; k < end; ++k)
            out[offset + k] = (done == skipped ? a : b) >> (8 * (k - done));
    }
};

// ANCHOR: kernel
template <bool triangular, bool aligned, Where where>
__device__ void smooth_strip(const Strip<aligned, where>& strip, uint8_t* __restrict__ out, int top,
                             int bottom, const Weights& weights, Turn<aligned>* fetched) {
    using W = Window<triangular>;
    // One number for a column; in aligned rows only two at either end of a lane can differ.
    float inverses[group];
    const uint32_t kept[4] = {strip.kept(-4), strip.kept(0), strip.kept(4), strip.kept(8)};
    constexpr bool inside = where == Where::inside;
    for (int k = 0; k < group && !inside; ++k)
        inverses[k] =
            little_more / (W::total * weights_inside<triangular>(strip.column() + k, strip.width));

    const int begin = top - radius, end = bottom + radius;
    for (int ahead = 0; ahead < turns - 1; ++ahead) {
        if (begin + ahead * turn_rows < end)
            strip.copy_turn(fetched[ahead], begin + ahead * turn_rows);
        end_of_turn();
    }
    W windows[group];
    int now = 0, free = turns - 1;
    for (int first = begin; first < end; first += turn_rows) {
        wait_for_turn<turns>();
        __syncthreads();  // the turn is there, and all have read what is overwritten now
        const int next = first + (turns - 1) * turn_rows;
        if (next < end) strip.copy_turn(fetched[free], next);
        end_of_turn();
#pragma unroll
        for (int turn = 0; turn < turn_rows; ++turn) {
            const int row = first + turn, y = row - radius;
            uint32_t words[4], sums[group];
            strip.pixels(fetched[now][turn], row, kept, words);
            row_sums<triangular>(weights, words[0], words[1], words[2], sums);
            row_sums<triangular>(weights, words[1], words[2], words[3], sums + 4);
#pragma unroll
            for (int k = 0; k < group; ++k) sums[k] = windows[k].push(sums[k], turn);
            if (where != Where::anywhere ? turn < 2 * radius && first < top
                                         : y < top || y >= bottom)
                continue;
            if (inside) {
                for (int k = 0; k < group; ++k) sums[k] = quotient<triangular>(sums[k]);
            } else if (where == Where::at_side || (y >= radius && y < strip.height - radius)) {
                for (int k = 0; k < group; ++k)
                    sums[k] = quotient<triangular>(sums[k], inverses[k]);
            } else {
                const float factor = float(W::total) / weights_inside<triangular>(y, strip.height);
                for (int k = 0; k < group; ++k)
                    sums[k] = quotient<triangular>(sums[k], inverses[k] * factor);
            }
            strip.store(out, pack_low_bytes(sums[0], sums[1], sums[2], sums[3]),
                        pack_low_bytes(sums[4], sums[5], sums[6], sums[7]), y);
        }
        free = now;
        now = now + 1 == turns ? 0 : now + 1;
    }
}

template <bool triangular, bool aligned>
__global__ void __launch_bounds__(block_size)
    smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int width,
                  int height, int rows, Weights weights) {
    __shared__ Turn<aligned> fetched[turns];
    const int left = blockIdx.x * block_columns<aligned>;
    const int top = blockIdx.y * rows, bottom = min(top + rows, height);
    // The same for the whole block. Vectors of unaligned rows may begin some bytes before their
    // first pixel, and end after the last.
    const bool columns_inside = left > 0 && left + group * row_vectors<aligned> <= width;
    const bool rows_inside =
        top > radius && bottom + radius < height && (bottom - top + 2 * radius) % turn_rows == 0;
    if (rows_inside && columns_inside) {
        smooth_strip<triangular>(Strip<aligned, Where::inside>{gray, width, height, left}, out, top,
                                 bottom, weights, fetched);
    } else if (rows_inside) {
        smooth_strip<triangular>(Strip<aligned, Where::at_side>{gray, width, height, left}, out,
                                 top, bottom, weights, fetched);
    } else {
        smooth_strip<triangular>(Strip<aligned, Where::anywhere>{gray, width, height, left}, out,
                                 top, bottom, weights, fetched);
    }
}
// ANCHOR_END: kernel

// Rows per warp: as few as give work to `waves` times the warps that run at once, but not so few
// that the four additional rows outweigh them. With the additional rows they are whole turns.
template <class Kernel>
int rows_per_warp(Kernel kernel, int block_size, int across, int rows, int turn_rows, int waves) {
    constexpr int fewest = 8;
    int device = 0, multiprocessors = 0, resident = 0;
    WORKBOOK_CHECK(cudaGetDevice(&device));
    WORKBOOK_CHECK(
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    WORKBOOK_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, block_size, 0));
    const int bands = max(1, waves * resident * multiprocessors / across);
    const int loaded = max(ceil_div(rows, bands), fewest) + 2 * radius;
    return ceil_div(loaded, turn_rows) * turn_rows - 2 * radius;
}

template <bool triangular, bool aligned>
void smooth_rows(const uint8_t* gray, uint8_t* out, int width, int height) {
    const auto kernel = smooth_kernel<triangular, aligned>;
    const int across = ceil_div(width, block_columns<aligned>);
    const int rows = rows_per_warp(kernel, block_size, across, height, turn_rows, 2);
    kernel<<<dim3(across, ceil_div(height, rows)), block_size>>>(gray, out, width, height, rows,
                                                                 weights<triangular>());
}

template <bool triangular>
void smooth(const uint8_t* gray, uint8_t* out, int width, int height) {
    if (width % group == 0) {
        smooth_rows<triangular, true>(gray, out, width, height);
    } else {
        smooth_rows<triangular, false>(gray, out, width, height);
    }
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth<false>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth<true>(gray, out, width, height);
}
