// Rung 15: short bands, so that what is on its way lies close together.
//
// Before:   the blocks that run at once are all over the image, each at a place of its own in a
//           band of 30 to 300 rows. Memory is fastest where neighbouring bytes are wanted at about
//           the same time: even a plain copy is slower in such bands.
// Change:   a block of a mean has a tile of 10 or 14 rows, and is done. Blocks start in the order
//           of their numbers, so those that run at once cover one part of the image. All rows of
//           the tile are asked for before the first is used; other blocks compute meanwhile. The
//           four rows more that each tile needs were loaded by its neighbours a moment ago: they
//           come from the L2. Without a turn to go round, rows, windows and addresses are known to
//           the compiler. Whether there is a border to take care of, each warp decides for itself.
//           The first tiles and the last have 6 rows: blocks that begin together ask the memory for
//           less before any of them can compute, and those that end last have less to do while no
//           one asks. Small images have only such tiles, so that more multiprocessors have one.
// Expected: more is loaded from the L2 and summed up, by four rows for each tile, and yet large
//           images with aligned rows take a tenth less time, close to a copy's. Where rows are not
//           aligned, shifts and reads of shared memory take longer than the memory: no gain. The
//           filter is as before: it waits for its multiplier.
#include "workbook.cuh"

constexpr int warps = 4;
constexpr int block_size = 32 * warps;
constexpr int radius = 2;
constexpr int group = 8;  // pixels of a row in a lane
constexpr uint32_t all_lanes = 0xffffffff;

// Rows of a tile, and those that it needs for them. More rows are loaded twice less often, and lie
// further apart.
template <bool aligned>
constexpr int tile_rows = aligned ? 14 : 10;
template <bool aligned>
constexpr int loaded_rows = tile_rows<aligned> + 2 * radius;

// Rows of a low tile.
constexpr int low_rows = 6;

// A band is a row of tiles of one height: first `before` low ones, then `tall` of `tile_rows`, then
// low ones again.
struct Bands {
    int before, tall;
};

// Blocks that should fit a multiprocessor: with fewer, too little is on its way; with more, there
// are not enough registers for eight columns a lane.
template <bool aligned>
constexpr int resident_blocks = aligned ? 5 : 6;

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

static_assert(row_vectors<true> == block_size + 2, "a vector for each thread, and two more");
static_assert(row_vectors<false> == block_size, "a vector for each thread");

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
// for 25 and 0.003 for 81; the rounding to a whole number that floats above 2^23 have anyway makes
// it the nearest quotient, because total is odd and no quotient is closer to a half than 1 / (2
// total). The quotient is then the lowest byte. The bias makes the offset a whole number.
template <bool triangular>
struct Division {
    static constexpr uint32_t total = triangular ? 81 : 25;
    static constexpr uint32_t bias = triangular ? 76 : 17;
    static constexpr uint32_t base = 0x4b000000 + bias;
    static_assert((0x800000 + bias) % total == 0, "the offset is a whole number");
    static constexpr float offset = 0x800000 - (0x800000 + bias) / total;
    // Every sum is made of the sums of five rows, weighted up to 5 or 9 altogether: what each of
    // them begins with, so that the base comes out (5 * 3435973837 and 9 * 954437177 are 1 in 32
    // bits).
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
// away from a middle. 2^-18 of at most 255 is far less than that, and more than all roundings,
// those of `__fdividef` among them, which takes two instructions instead of ten.
template <bool triangular>
__device__ uint32_t quotient(uint32_t sum, float inverse) {
    const float whole = __uint_as_float(sum) - __uint_as_float(Division<triangular>::base);
    return __float_as_uint(fmaf(whole, inverse, 0x1p23f));
}
constexpr float little_more = 1.0f + 0x1p-18f;

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

// The sum over the last five rows in one column, as the sum of each row's five is pushed. `number`
// counts the rows; it is known to the compiler, and so is every place.
template <bool triangular>
struct Window;

// The newest is added, the one before the last five taken away.
template <>
struct Window<false> {
    static constexpr int total = 5;
    uint32_t rows[6] = {}, sum = 0;

    __device__ uint32_t push(uint32_t row, int number) {
        rows[number % 6] = row;
        return sum += row - rows[(number + 1) % 6];
    }
    // The weights of the neighbours that lie beyond a border at this distance.
    static __device__ int beyond(int distance) { return max(radius - distance, 0); }
};

// 1 2 3 2 1 are three sums of three added up.
template <>
struct Window<true> {
    static constexpr int total = 9;
    uint32_t rows[3] = {}, threes[3] = {};

    __device__ uint32_t push(uint32_t row, int number) {
        rows[number % 3] = row;
        threes[number % 3] = rows[0] + rows[1] + rows[2];
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

// Copies the first `bytes` of a vector to shared memory, and zeros for the others, some time until
// the wait for its turn. Needs compute capability 8.0; before, the thread copies by itself.
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

// Until all copies that this thread began are done.
__device__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

__device__ void end_of_turn() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Until the oldest of the turns on their way is there, as far as this thread copies it.
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

// Where the columns of a block or a warp lie: all columns and rows that it needs are in the image,
// or at least all rows.
enum class Where { inside, at_side, anywhere };

// A block's part of the image: columns from `left` on, eight a lane, and `own_rows` rows from `top`
// on.
template <bool aligned>
struct Tile {
    const uint8_t* gray;
    int width, height, left, top, own_rows;

    // Whether loaded row `number` is the first that a low tile has not, and this is one.
    __device__ bool ends_before(int number) const {
        return number == low_rows + 2 * radius && own_rows == low_rows;
    }

    // This thread's vector in a row of shared memory; the one before it is its left neighbour.
    __device__ int vector() const {
        return 1 + strip_lanes<aligned> * int(threadIdx.x / 32) + threadIdx.x % 32;
    }

    __device__ int column() const { return left + group * (vector() - 1); }

    __device__ bool rows_inside() const {
        return top >= radius && top + own_rows + radius <= height;
    }

    // Whether columns `first` to `end` are in the row.
    __device__ Where where(int first, int end) const {
        if (!rows_inside()) return Where::anywhere;
        return first >= 0 && end <= width ? Where::inside : Where::at_side;
    }

    // For what the block loads. Vectors of unaligned rows may begin some bytes before their first
    // pixel, and end after the last.
    __device__ Where where_loaded() const {
        return where(left - group, left + group * (row_vectors<aligned> - 1));
    }

    // The warp's first column.
    __device__ int warp_column() const {
        return left + group * strip_lanes<aligned> * int(threadIdx.x / 32);
    }

    // For what the warp uses: the neighbours of its columns.
    __device__ Where where_used() const {
        return where(warp_column() - radius, warp_column() + group * 32 + radius);
    }

    // Copies all rows to shared memory, some time until the wait.
    template <Where where>
    __device__ void load(uint2 (*rows)[row_vectors<aligned>]) const {
        if (!aligned) {
            load_unaligned<where>(rows);
            return;
        }
        const int first = top - radius;
        if (threadIdx.x < 2 * (own_rows + 2 * radius)) {
            const int row = threadIdx.x / 2, vector = threadIdx.x % 2 * (block_size + 1);
            copy<where>(&rows[row][vector], first + row, vector);
        }
        if (where == Where::anywhere) {
#pragma unroll
            for (int row = 0; row < loaded_rows<aligned>; ++row) {
                if (ends_before(row)) return;
                copy<where>(&rows[row][threadIdx.x + 1], first + row, threadIdx.x + 1);
            }
            return;
        }
        const int x = left + group * int(threadIdx.x);
        const bool exists = where == Where::inside || x < width;
        const uint8_t* from = gray + unsigned(first * width + (exists ? x : 0));
#pragma unroll
        for (int row = 0; row < loaded_rows<aligned>; ++row) {
            if (ends_before(row)) return;
            copy_ahead(&rows[row][threadIdx.x + 1], from + size_t(row) * unsigned(width),
                       exists ? group : 0);
        }
    }

    // Copies a vector of an aligned row.
    template <Where where>
    __device__ void copy(uint2* slot, int row, int vector) const {
        const int x = left + group * (vector - 1);
        const bool exists = where == Where::inside || (x >= 0 && x < width);
        const int line = where == Where::anywhere ? min(max(row, 0), height - 1) : row;
        const int bytes = exists && line == row ? group : 0;
        copy_ahead(slot, gray + unsigned(line * width + (exists ? x : 0)), bytes);
    }

    // The same for rows that begin anywhere: the vectors in which their pixels are. (Words of four
    // bytes would need fewer shifts; copies of them are many times as slow.)
    template <Where where>
    __device__ void load_unaligned(uint2 (*rows)[row_vectors<aligned>]) const {
        const int x = left + group * (int(threadIdx.x) - 1);
#pragma unroll
        for (int k = 0; k < loaded_rows<aligned>; ++k) {
            if (ends_before(k)) return;
            const int row = top - radius + k, offset = row * width + x & ~7;
            int bytes = group;
            if (where != Where::inside) {
                const bool exists = row >= 0 && row < height && offset >= 0;
                bytes = exists ? min(max(width * height - offset, 0), group) : 0;
            }
            copy_ahead(&rows[k][threadIdx.x], bytes == 0 ? gray : gray + unsigned(offset), bytes);
        }
    }

    // The lane's eight pixels and the four before and after them; zeros outside the image.
    template <Where where>
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

    // Stores the lane's eight results in row `number` of the tile; `begin` is their place in its
    // first.
    template <Where where>
    __device__ void store(uint8_t* begin, uint32_t first, uint32_t second, int number) const {
        uint8_t* place = begin + size_t(number) * unsigned(width);
        if (aligned) {
            if (where == Where::inside || column() < width)
                *reinterpret_cast<uint2*>(place) = make_uint2(first, second);
            return;
        }
        // The two words that begin in the lane's eight bytes, with what the next lane has of them.
        const int skipped = -((top + number) * width + column()) & 3;
        const uint32_t after = __shfl_down_sync(all_lanes, first, 1);
        const uint32_t a = __funnelshift_r(first, second, 8 * skipped);
        const uint32_t b = __funnelshift_r(second, after, 8 * skipped);
        if (threadIdx.x % 32 >= strip_lanes<aligned>) return;
        // Of the row, from the lane's first byte.
        const int end = where == Where::inside ? 2 * group : width - column();
        uint32_t* words = reinterpret_cast<uint32_t*>(place + skipped);
        if (skipped + 4 <= end) words[0] = a;
        if (skipped + 8 <= end) words[1] = b;
        if (where == Where::inside) return;
        // The bytes of a row before its first whole word, and after its last.
        if (column() == 0)
#pragma unroll 1
            for (int k = 0; k < skipped && k < end; ++k) place[k] = first >> (8 * k);
        if (end <= skipped || end >= skipped + 8) return;
        const int done = skipped + (end < skipped + 4 ? 0 : 4);
#pragma unroll 1
        for (int k = done; k < end; ++k) place[k] = (done == skipped ? a : b) >> (8 * (k - done));
    }
};

// ANCHOR: kernel
// The warp's results, once all rows are there.
template <bool triangular, bool aligned, Where where>
__device__ void smooth_tile(const Tile<aligned>& tile, uint2 (*rows)[row_vectors<aligned>],
                            uint8_t* out, const Weights& weights) {
    using W = Window<triangular>;
    // One number for a column.
    float inverses[group];
    const uint32_t kept[4] = {tile.kept(-4), tile.kept(0), tile.kept(4), tile.kept(8)};
    constexpr bool inside = where == Where::inside;
    for (int k = 0; k < group && !inside; ++k)
        inverses[k] = __fdividef(
            little_more, W::total * weights_inside<triangular>(tile.column() + k, tile.width));
    uint8_t* begin = out + (tile.top * tile.width + tile.column());
    W windows[group];
#pragma unroll
    for (int number = 0; number < loaded_rows<aligned>; ++number) {
        if (tile.ends_before(number)) return;
        const int row = tile.top - radius + number, y = row - radius;
        uint32_t words[4], sums[group];
        tile.template pixels<where>(rows[number], row, kept, words);
        row_sums<triangular>(weights, words[0], words[1], words[2], sums);
        row_sums<triangular>(weights, words[1], words[2], words[3], sums + 4);
#pragma unroll
        for (int k = 0; k < group; ++k) sums[k] = windows[k].push(sums[k], number);
        if (number < 2 * radius) continue;
        if (where == Where::anywhere && y >= tile.height) continue;
        if (inside) {
            for (int k = 0; k < group; ++k) sums[k] = quotient<triangular>(sums[k]);
        } else {
            const float factor =
                where == Where::anywhere
                    ? __fdividef(W::total, weights_inside<triangular>(y, tile.height))
                    : 1.0f;
            for (int k = 0; k < group; ++k)
                sums[k] = quotient<triangular>(sums[k], inverses[k] * factor);
        }
        tile.template store<where>(begin, pack_low_bytes(sums[0], sums[1], sums[2], sums[3]),
                                   pack_low_bytes(sums[4], sums[5], sums[6], sums[7]),
                                   number - 2 * radius);
    }
}

template <bool triangular, bool aligned>
__global__ void __launch_bounds__(block_size, resident_blocks<aligned>)
    smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int width,
                  int height, Weights weights, Bands bands) {
    __shared__ uint2 rows[loaded_rows<aligned>][row_vectors<aligned>];
    const int band = blockIdx.y, past = band - bands.before;
    const bool is_tall = unsigned(past) < unsigned(bands.tall);
    const int more = (tile_rows<aligned> - low_rows) * min(max(past, 0), bands.tall);
    const Tile<aligned> tile = {gray,
                                width,
                                height,
                                int(blockIdx.x) * block_columns<aligned>,
                                low_rows * band + more,
                                is_tall ? tile_rows<aligned> : low_rows};
    switch (tile.where_loaded()) {
        case Where::inside:
            tile.template load<Where::inside>(rows);
            break;
        case Where::at_side:
            tile.template load<Where::at_side>(rows);
            break;
        case Where::anywhere:
            tile.template load<Where::anywhere>(rows);
    }
    wait_for_copies();
    __syncthreads();
    if (tile.warp_column() >= width) return;
    switch (tile.where_used()) {
        case Where::inside:
            smooth_tile<triangular, aligned, Where::inside>(tile, rows, out, weights);
            break;
        case Where::at_side:
            smooth_tile<triangular, aligned, Where::at_side>(tile, rows, out, weights);
            break;
        case Where::anywhere:
            smooth_tile<triangular, aligned, Where::anywhere>(tile, rows, out, weights);
    }
}
// ANCHOR_END: kernel

// Low tiles at the beginning for half of the blocks that run at once, and as many at the end; tall
// ones as far as there is more.
template <bool aligned>
Bands bands_of(int across, int height) {
    int device = 0, multiprocessors = 0;
    WORKBOOK_CHECK(cudaGetDevice(&device));
    WORKBOOK_CHECK(
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const int at_once = resident_blocks<aligned> * multiprocessors;
    const int before = ceil_div(at_once, 2 * across);
    return {before, max(height - 2 * before * low_rows, 0) / tile_rows<aligned>};
}

template <bool triangular, bool aligned>
void smooth_rows(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int across = ceil_div(width, block_columns<aligned>);
    const Bands bands = bands_of<aligned>(across, height);
    const int low = ceil_div(height - bands.tall * tile_rows<aligned>, low_rows);
    smooth_kernel<triangular, aligned><<<dim3(across, bands.tall + low), block_size>>>(
        gray, out, width, height, weights<triangular>(), bands);
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

// ---- The filter --------------------------------------------------------------------------------

struct Filter {
    int values[25];
};

// The filter in signed bytes: the first four values of each row, those of the last column's first
// four rows, and the last one alone, moved to each of the four bytes.
struct ByteFilter {
    int rows[5], column, last[4];
    float scale;  // 1 / (256 divisor), and a little more
};

// The same as `dot` with signed weights. There is no function for one unsigned and one signed
// operand.
__device__ uint32_t dot_signed(uint32_t bytes, int weights, uint32_t sum) {
#if __CUDA_ARCH__ >= 610
    asm("dp4a.u32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(bytes), "r"(weights));
#else
    for (int shift = 0; shift < 32; shift += 8)
        sum += int(bytes >> shift & 0xff) * int8_t(weights >> shift);
#endif
    return sum;
}

// Bits of the float 2^23 + 2^21: a sum of bytes times signed bytes, less than 2^20 either way,
// added to them gives the float 2^23 + 2^21 + sum.
constexpr uint32_t sum_base = 0x4b200000;
constexpr float base_value = 0x1p23f + 0x1p21f;

// The quotient, cut off and clamped, in the lowest byte, if `scale` is from `scale_for`. The
// product of base and scale is exact, so that what is rounded is sum * scale alone, clamped to 0..1
// for nothing. Times nearly 256 it is between the quotient and the quotient and 1.3e-6 of it.
__device__ uint32_t clamped_in_low_byte(uint32_t sum, float scale) {
    const float part_of_256 = __saturatef(fmaf(__uint_as_float(sum), scale, -base_value * scale));
    constexpr float just_below_256 = 255.99998f;
    return __float_as_uint(__fmaf_rd(part_of_256, just_below_256, 8388608.0f));
}

// For larger divisors 1.3e-6 of a quotient can be more than a divisor's part.
constexpr int largest_divisor = 3000;

// 1 / (256 divisor), and more by 2^-22 to 2^-19.7 of it, in 21 bits: base_value has three, so that
// their product is a float.
float scale_for(int divisor) {
    const double wanted = (1 + 0x1p-22) / (256.0 * divisor);
    double last_bit = 1;
    while (last_bit * 0x1p20 > wanted) last_bit /= 2;
    return float(ceil(wanted / last_bit) * last_bit);
}

// One byte anywhere; `x` counts bytes.
__device__ uint8_t filtered(const uint8_t* rgb, int x, int y, const Filter& filter, int divisor,
                            int width, int height) {
    const int row_bytes = 3 * width;
    const uint8_t* centre = rgb + y * row_bytes + x;
    if (x < 3 * radius || x >= row_bytes - 3 * radius || y < radius || y >= height - radius)
        return *centre;
    int sum = 0;
#pragma unroll
    for (int k = 0; k < 25; ++k)
        sum += filter.values[k] * centre[(k / 5 - radius) * row_bytes + 3 * (k % 5 - radius)];
    return min(max(sum / divisor, 0), 255);
}

// Three words of four interleaved pixels to one word a channel.
__device__ void part(const uint32_t* words, uint32_t (&channels)[3]) {
    const uint32_t a = words[0], b = words[1], c = words[2];  // R G B R | G B R G | B R G B
    channels[0] = __byte_perm(__byte_perm(a, b, 0x0630), c, 0x5210);
    channels[1] = __byte_perm(__byte_perm(a, b, 0x0741), c, 0x6210);
    channels[2] = __byte_perm(__byte_perm(a, b, 0x0052), c, 0x7410);
}

// Unfinished results of four neighbouring pixels in three channels, and the last column's words.
struct Results {
    uint32_t sums[5][3][4], columns[3][4];  // sums[k] lacks the filter rows after k

    // Adds a row: the eight pixels around the four, by channel.
    __device__ void add(const uint32_t (&left)[3], const uint32_t (&right)[3],
                        const ByteFilter& filter) {
#pragma unroll
        for (int i = 0; i < 12; ++i) {
            const int channel = i / 4, pixel = i % 4;
            const uint32_t four = __funnelshift_r(left[channel], right[channel], 8 * pixel);
#pragma unroll
            for (int k = 4; k >= 0; --k) {
                const uint32_t before = k > 0 ? sums[k - 1][channel][pixel] : sum_base;
                sums[k][channel][pixel] = dot_signed(four, filter.rows[k], before);
            }
            // The last four rows of the fifth neighbour's column, the newest on top.
            uint32_t& column = columns[channel][pixel];
            column = __byte_perm(column, right[channel], 0x4321 + 0x1000 * pixel);
            sums[3][channel][pixel] = dot_signed(column, filter.column, sums[3][channel][pixel]);
            sums[4][channel][pixel] =
                dot_signed(right[channel], filter.last[pixel], sums[4][channel][pixel]);
        }
    }

    // The finished row as three words of four interleaved pixels.
    __device__ void finish(float scale, uint32_t* words) const {
#pragma unroll
        for (int word = 0; word < 3; ++word) {
            uint32_t bytes[4];
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                const int byte = 4 * word + k;
                bytes[k] = clamped_in_low_byte(sums[4][byte % 3][byte / 3], scale);
            }
            words[word] = pack_low_bytes(bytes[0], bytes[1], bytes[2], bytes[3]);
        }
    }
};

// The border, and the bytes beside it that share a word with it, which no strip stores: number `i`.
__device__ void border_byte(const uint8_t* rgb, uint8_t* out, const Filter& filter, int divisor,
                            int width, int height, int i) {
    constexpr int ends = 3 * radius + 3;
    const int row_bytes = 3 * width;
    int x = i % row_bytes, y = i / row_bytes;
    if (y >= 2 * radius) {
        const int k = i - 2 * radius * row_bytes;
        x = k % (2 * ends), y = radius + k / (2 * ends);
        if (x >= ends) x += row_bytes - 2 * ends;
        const int word = y * row_bytes + x & ~3, begin = y * row_bytes + 3 * radius;
        if (word >= begin && word + 4 <= begin + row_bytes - 6 * radius) return;  // a strip's
    } else if (y >= radius) {
        y += height - 2 * radius;
    }
    out[y * row_bytes + x] = filtered(rgb, x, y, filter, divisor, width, height);
}

// A warp goes down a strip of 116 columns: a lane has four pixels, and with the next lane's eight.
constexpr int filter_lanes = 29;
constexpr int filter_strip = 4 * filter_lanes;
constexpr int filter_turn_rows = 5, filter_turns = 2;

// The 26 vectors of 16 bytes that hold the 384 of a row's 128 pixels, wherever they begin.
using FilterTurn = uint4[filter_turn_rows][26];

template <bool aligned>
__global__ void __launch_bounds__(32, 16)
    filter_bytes_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out, int width,
                        int height, int rows, ByteFilter filter, Filter values, int divisor,
                        int border) {
    __shared__ FilterTurn fetched[filter_turns];
    __shared__ uint32_t staged[96];
    const int lane = threadIdx.x, row_bytes = 3 * width;
    const int left =
        filter_strip * blockIdx.x;  // of what is loaded; results begin two pixels later
    const int top = radius + blockIdx.y * rows, bottom = min(top + rows, height - radius);
    const int begin = top - radius, end = bottom + radius;
    const auto copy_turn = [&](FilterTurn& turn, int first) {
        const int turn_end = (first + filter_turn_rows - 1) * row_bytes + 3 * left + 26 * 16;
        if (first < end && lane < 26 && turn_end <= height * row_bytes) {
            for (int k = 0; k < filter_turn_rows; ++k) {
                const int offset = ((first + k) * row_bytes + 3 * left & ~15) + 16 * lane;
                copy_ahead(&turn[k][lane], rgb + unsigned(offset), 16);
            }
        } else if (first < end && lane < 26) {
            // Vectors beyond the image are asked for only in its last rows.
#pragma unroll 1
            for (int k = 0; k < filter_turn_rows; ++k) {
                const int row = min(first + k, height - 1);
                const int offset = (row * row_bytes + 3 * left & ~15) + 16 * lane;
                const int exist = min(max(height * row_bytes - offset, 0), 16);
                copy_ahead(&turn[k][lane], rgb + (exist == 0 ? 0u : unsigned(offset)), exist);
            }
        }
        end_of_turn();
    };
    for (int ahead = 0; ahead < filter_turns - 1; ++ahead)
        copy_turn(fetched[ahead], begin + ahead * filter_turn_rows);
    // While the first rows are on their way: a byte of the border for each lane, or some.
    const int threads = 32 * gridDim.x * gridDim.y;
    for (int i = 32 * (blockIdx.y * gridDim.x + blockIdx.x) + lane; i < border; i += threads)
        border_byte(rgb, out, values, divisor, width, height, i);
    // What this lane stores of a row: words `lane`, `lane` + 32 and `lane` + 64 of the warp's 87.
    const int target = 3 * (left + radius) + 4 * lane;
    const int room = row_bytes - 3 * radius - target - 4;
    Results results = {};
    int now = 0, free = filter_turns - 1;
    for (int first = begin; first < end; first += filter_turn_rows) {
        wait_for_turn<filter_turns>();
        __syncwarp();  // the turn is there, and all lanes have read what is overwritten now
        copy_turn(fetched[free], first + (filter_turns - 1) * filter_turn_rows);
#pragma unroll
        for (int turn = 0; turn < filter_turn_rows; ++turn) {
            const int row = first + turn, y = row - radius;
            // In aligned rows everything begins at the same byte of a word, strips at the first.
            const int skipped = (aligned ? 3 * left : row * row_bytes + 3 * left) & 15;
            const int shift = aligned ? 0 : 8 * (skipped & 3);
            const uint32_t* source =
                reinterpret_cast<const uint32_t*>(fetched[now][turn]) + skipped / 4 + 3 * lane;
            uint32_t words[4], four[3], after[3];
            for (int k = 0; k < 4; ++k) words[k] = source[k];
            for (int k = 0; k < 3; ++k) words[k] = __funnelshift_r(words[k], words[k + 1], shift);
            part(words, four);
            for (int k = 0; k < 3; ++k) after[k] = __shfl_down_sync(all_lanes, four[k], 1);
            results.add(four, after, filter);
            results.finish(filter.scale, words);
            words[3] = __shfl_down_sync(all_lanes, words[0], 1);
            const int target_out = y * row_bytes + target;
            const int missing = aligned ? 4 - 3 * radius % 4 : -target_out & 3;
            for (int k = 0; k < 3; ++k)
                staged[3 * lane + k] = __funnelshift_r(words[k], words[k + 1], 8 * missing);
            __syncwarp();  // the row's results are in shared memory
            uint32_t* whole = reinterpret_cast<uint32_t*>(out + unsigned(target_out + missing));
            const bool stored = unsigned(y - top) < unsigned(bottom - top);
            const int left_over = room - missing;
            if (stored && left_over >= 0) whole[0] = staged[lane];
            if (stored && left_over >= 128) whole[32] = staged[lane + 32];
            if (stored && left_over >= 256 && lane < 3 * filter_lanes - 64)
                whole[64] = staged[lane + 64];
            __syncwarp();  // all have read: the next row may overwrite
        }
        free = now;
        now = now + 1 == filter_turns ? 0 : now + 1;
    }
}

// Any filter: a thread for every byte.
__global__ void filter_any_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                                  Filter filter, int divisor, int width, int height) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 3 * width * height) return;
    out[i] = filtered(rgb, i % (3 * width), i / (3 * width), filter, divisor, width, height);
}

// Rows a warp: as few as let `waves` times the warps that run at once have work, but not so few
// that the four rows it loads besides outweigh them; with those whole turns.
template <class Kernel>
int rows_a_warp(Kernel kernel, int block_size, int across, int rows, int turn_rows, int waves) {
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

// Packs the filter; false if a value does not fit a signed byte, or if the divisor is too large.
bool pack(const Filter& filter, int divisor, ByteFilter& packed) {
    packed = {};
    if (divisor > largest_divisor) return false;
    packed.scale = scale_for(divisor);
    for (int k = 0; k < 25; ++k) {
        const int value = filter.values[k], row = k / 5, column = k % 5;
        if (value < -128 || value > 127) return false;
        if (column < 4) packed.rows[row] |= (value & 0xff) << (8 * column);
        if (column == 4 && row < 4) packed.column |= (value & 0xff) << (8 * row);
    }
    for (int pixel = 0; pixel < 4; ++pixel)
        packed.last[pixel] = (filter.values[24] & 0xff) << (8 * pixel);
    return true;
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    Filter filter;
    for (int k = 0; k < 25; ++k) filter.values[k] = filter25[k];
    ByteFilter bytes;
    if (width >= 16 && height > 2 * radius && pack(filter, divisor, bytes)) {
        const auto kernel =
            3 * width % 16 == 0 ? filter_bytes_kernel<true> : filter_bytes_kernel<false>;
        const int across = ceil_div(width - 2 * radius, filter_strip);
        const int rows = rows_a_warp(kernel, 32, across, height - 2 * radius, filter_turn_rows, 3);
        const dim3 grid(across, ceil_div(height - 2 * radius, rows));
        const int border = 3 * (2 * radius * width) + (height - 2 * radius) * 6 * (radius + 1);
        kernel<<<grid, 32>>>(rgb, out, width, height, rows, bytes, filter, divisor, border);
    } else {
        const int blocks = ceil_div(3 * width * height, 256);
        filter_any_kernel<<<blocks, 256>>>(rgb, out, filter, divisor, width, height);
    }
}
