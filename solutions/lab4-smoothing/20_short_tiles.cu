// Rung 20: short tiles, so that the loads in flight lie close together.
//
// tasks: smooth_box, smooth_triangular
// level: expert
// slower:   smooth_triangular, where rows are not aligned: shifts and reads of shared memory take
//           longer than the memory. With aligned rows it takes a tenth less time.
//
// Before:   the blocks that run at once are spread over the image, each in its own band of 30 to
//           300 rows. Memory is fastest where neighbouring bytes are wanted at about the same time:
//           even a plain copy is slower in such bands.
// Change:   a block has a tile of 10 or 14 rows, and ends. Blocks start in the order of their
//           numbers, so those that run at once cover one part of the image. A block requests all
//           rows of its tile before it uses the first; other blocks compute meanwhile. Its
//           neighbours loaded the four additional rows a moment ago: they come from the L2. Without
//           a loop over turns, the compiler knows all rows, windows and addresses. Each warp
//           decides for itself whether it has a border. The first tiles and the last have 6 rows:
//           blocks that begin together request less before any of them can compute, and those that
//           end last have less to do alone. Small images have only such tiles, so that more
//           multiprocessors have one.
// Expected: more is loaded from the L2 and summed up, by four rows per tile, and yet large images
//           with aligned rows take a tenth less time, close to the time of a copy. Where rows are
//           not aligned there is little gain.
#include "workbook.cuh"

constexpr int warps = 4;
constexpr int block_size = 32 * warps;
constexpr int radius = 2;
constexpr int group = 8;  // pixels of a row in a lane
constexpr uint32_t all_lanes = 0xffffffff;

// Rows of a tile, and rows that it loads. With higher tiles fewer rows are loaded twice, but the
// rows of a tile are further apart.
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

// Blocks that should fit a multiprocessor: with fewer, too few loads are in flight; with more,
// there are not enough registers for eight columns per lane.
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

// Where the columns of a block or a warp lie: all columns and rows that it needs are in the image,
// or at least all rows.
enum class Where { inside, at_side, anywhere };

// A block's part of the image: columns from `left` on, eight per lane, and `own_rows` rows from
// `top` on.
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
    __syncthreads();  // all rows of the tile are in shared memory
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
// tiles for the other rows.
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
