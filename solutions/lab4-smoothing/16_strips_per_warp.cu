// Rung 16: a warp slides down a strip.
//
// tasks: smooth_box, smooth_triangular
// level: expert
//
// Before:   a thread loads three words of a row for four pixels, two of which its neighbours load
//           too, and stores single bytes where a row does not begin at a word.
// Change:   the lanes of a warp share their words. Each lane loads one aligned word of a row and
//           gets the two words after it from its neighbours by shuffles. The results are shifted
//           into aligned words, together with those of the next lane. The last three lanes of a
//           warp have no complete neighbourhood, so the strips of two warps overlap. A lane has a
//           word in each of two strips, which share the index computations. The loads of six rows
//           are in flight before the first row is summed. The first blocks of the same launch do
//           the border.
// Expected: each byte is loaded once, except in the overlaps, with about twelve instructions per
//           pixel: near the speed of memory.
#include "workbook.cuh"

constexpr int warps = 2;
constexpr int block_size = 32 * warps;
constexpr int radius = 2;
constexpr uint32_t all_lanes = 0xffffffff;

// Lanes 0 to 29 have whole neighbourhoods; their results, shifted, make 29 aligned words, whatever
// the shift.
constexpr int full_lanes = 29;
constexpr int strip = 4 * full_lanes;  // columns from one strip to the next
constexpr int strips_per_warp = 2;

// The rows at the top and at the bottom that strips leave out: two that are border anyway, and one
// more, so that words past the end of a row are in the next row.
constexpr int rows_above = radius, rows_below = radius + 1, outer_rows = rows_above + rows_below;

// How the work is divided: blocks of the border first, then `across` blocks for each band of
// `rows`.
struct Plan {
    int border, border_blocks;  // pixels, one per thread
    int across, down, rows;
    __host__ __device__ int blocks() const { return border_blocks + across * down; }
};

// Pixels at each end of a row that may be border: two, and those that do not fill a word.
constexpr int ends = radius + 3;

// Rows per warp: as many as let all warps of the image run at once, `resident` on a multiprocessor,
// but not so few that the four additional rows outweigh them. With the additional rows they are a
// multiple of `period`.
int rows_per_warp(int columns_of_warps, int rows, int resident, int period) {
    constexpr int fewest = 32;
    int multiprocessors = 0;
    WORKBOOK_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    const int bands = resident * multiprocessors / columns_of_warps;
    const int wanted = bands == 0 ? rows : ceil_div(rows, bands);
    const int loaded = (wanted < fewest ? fewest : wanted) + 2 * radius;
    return ceil_div(loaded, period) * period - 2 * radius;
}

Plan plan_for(int width, int height, int columns_per_warp, int resident, int period) {
    Plan plan = {width * height, 0, 0, 0, 1};
    if (width >= 16 && height >= 8) {
        const int rows = height - outer_rows;
        plan.border = outer_rows * width + 2 * ends * rows;
        plan.across = ceil_div(ceil_div(width - 2 * radius, columns_per_warp), warps);
        plan.rows = rows_per_warp(plan.across * warps, rows, resident, period);
        plan.down = ceil_div(rows, plan.rows);
    }
    plan.border_blocks = ceil_div(plan.border, block_size);
    return plan;
}

// Pixel number i of the border: the rows above and below first, then the ends of the other rows.
// False if it belongs to a whole word of a strip.
__device__ bool border_pixel(int i, const Plan& plan, int width, int height, int& x, int& y) {
    x = i % width, y = i / width;
    if (plan.across == 0) return true;
    if (y < outer_rows) {
        if (y >= rows_above) y += height - outer_rows;
        return true;
    }
    i -= outer_rows * width;
    x = i % (2 * ends), y = rows_above + i / (2 * ends);
    const int begin = y * width + radius, end = (y + 1) * width - radius;
    if (x < ends) return x < radius + (-begin & 3);
    x += width - 2 * ends;
    return x >= width - radius - (end & 3);
}

// Where a warp works. The columns differ between lanes; the rows are the same for the whole block.
struct Place {
    int column, top, bottom;
};

__device__ Place place_of_thread(const Plan& plan, int columns_per_warp, int height) {
    const int block = blockIdx.x - plan.border_blocks;
    const int warp = warps * (block % plan.across) + threadIdx.x / 32;
    const int top = rows_above + plan.rows * (block / plan.across);
    return {radius + columns_per_warp * warp + 4 * int(threadIdx.x % 32), top,
            min(top + plan.rows, height - rows_below)};
}

// The column that a lane loads for. Past the end of the row: the first column that no result
// needs.
__device__ int column_to_load(int column, int width) {
    const int beyond = width + radius;
    return min(column, beyond + ((column - beyond) & 3));
}

__device__ uint32_t load_word(const uint8_t* bytes, int offset) {
    return *reinterpret_cast<const uint32_t*>(bytes + (offset & ~3));
}

__device__ uint32_t from_lane_after(uint32_t value, int lanes) {
    return __shfl_down_sync(all_lanes, value, lanes);
}

// The lowest bytes of four words, side by side.
__device__ uint32_t pack_low_bytes(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
}

template <bool triangular>
__host__ __device__ constexpr int weight_at(int distance) {
    return !triangular ? 1 : distance < 0 ? radius + 1 + distance : radius + 1 - distance;
}

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

// The weights of eight bytes in a row for pixel number `pixel` of four: its five neighbours begin
// at byte `pixel`. Word 0 has the first four bytes, word 1 the others.
template <bool triangular>
__device__ constexpr uint32_t weights_of(int pixel, int word) {
    uint32_t weights = 0;
    for (int k = 0; k < 4; ++k) {
        const int dx = 4 * word + k - pixel - radius;
        if (dx >= -radius && dx <= radius)
            weights |= uint32_t(weight_at<triangular>(dx)) << (8 * k);
    }
    return weights;
}

// How to divide by `total` with one multiplication. A sum s plus `base` has the bits of the float
// 2^23 + bias + s. Multiplied by 1 / total, plus `offset`, that is 2^23 + s / total up to 0.0075
// for 25 and 0.003 for 81; a float above 2^23 has no fraction, so it is rounded to the nearest
// whole number: the right quotient, because total is odd and no quotient is closer to a half than
// 1 / (2 total). The quotient is then the lowest byte. The bias makes the offset a whole number. (A
// test of the lab tries all sums.)
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

template <bool triangular>
__device__ uint32_t quotient_in_low_byte(uint32_t sum) {
    using D = Division<triangular>;
    return __float_as_uint(fmaf(__uint_as_float(sum), 1.0f / D::total, D::offset));
}

// The sum over the last five rows in one column; `push` takes the sum of the newest row. `turn`
// counts the rows modulo 6: one place more than the window has, so that nothing has to be moved.
constexpr int turns = 6;

template <bool triangular>
struct Window;

template <>
struct Window<false> {
    uint32_t rows[6] = {}, sum = 0;
    __device__ uint32_t push(uint32_t row, int turn) {
        rows[turn] = row;
        return sum += row - rows[(turn + 1) % 6];
    }
};

// 1 2 3 2 1 are three sums of three added up.
template <>
struct Window<true> {
    uint32_t rows[3] = {}, threes[3] = {};
    __device__ uint32_t push(uint32_t row, int turn) {
        rows[turn % 3] = row;
        threes[turn % 3] = rows[0] + rows[1] + rows[2];
        return threes[0] + threes[1] + threes[2];
    }
};

// One pixel anywhere, with all checks.
template <bool triangular>
__device__ uint8_t mean_at(const uint8_t* gray, int x, int y, int width, int height) {
    int sum = 0, total = 0;
    for (int row = max(y - radius, 0); row <= min(y + radius, height - 1); ++row) {
        for (int column = max(x - radius, 0); column <= min(x + radius, width - 1); ++column) {
            const int weight = weight_at<triangular>(row - y) * weight_at<triangular>(column - x);
            sum += weight * gray[row * width + column];
            total += weight;
        }
    }
    return (sum + total / 2) / total;
}

template <bool triangular>
__device__ void smooth_border(const uint8_t* gray, uint8_t* out, const Plan& plan, int width,
                              int height) {
    int x, y;
    const int i = blockIdx.x * block_size + threadIdx.x;
    if (i < plan.border && border_pixel(i, plan, width, height, x, y))
        out[y * width + x] = mean_at<triangular>(gray, x, y, width, height);
}

// ANCHOR: kernel
template <bool triangular>
__global__ void __launch_bounds__(block_size)
    smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, Plan plan, int width,
                  int height) {
    if (blockIdx.x < plan.border_blocks) {
        smooth_border<triangular>(gray, out, plan, width, height);
        return;
    }
    const Place place = place_of_thread(plan, strips_per_warp * strip, height);
    int source[strips_per_warp], room[strips_per_warp];
    for (int s = 0; s < strips_per_warp; ++s) {
        const int column = place.column + s * strip;
        source[s] = column_to_load(column, width) - radius;
        // How far a word may be shifted and still end with the results of this row and strip.
        room[s] = threadIdx.x % 32 < full_lanes ? width - radius - column - 4 : -1;
    }
    Window<triangular> windows[strips_per_warp][4];
    for (int first = place.top - radius; first < place.bottom + radius; first += turns) {
        uint32_t loaded[turns][strips_per_warp];
#pragma unroll
        for (int turn = 0; turn < turns; ++turn) {
            const int row = min(first + turn, place.bottom + radius - 1);
#pragma unroll
            for (int s = 0; s < strips_per_warp; ++s)
                loaded[turn][s] = load_word(gray, row * width + source[s]);
        }
#pragma unroll
        for (int turn = 0; turn < turns; ++turn) {
            const int y = first + turn - radius;
            const bool wanted = y >= place.top && y < place.bottom;
            const int begin = y * width + place.column, skipped = -begin & 3;
            // The same for both strips: they are whole words apart.
            const int shift = 8 * (((first + turn) * width + place.column - radius) & 3);
#pragma unroll
            for (int s = 0; s < strips_per_warp; ++s) {
                const uint32_t own = loaded[turn][s];
                const uint32_t low = __funnelshift_r(own, from_lane_after(own, 1), shift);
                const uint32_t high = from_lane_after(low, 1);
                uint32_t quotients[4];
#pragma unroll
                for (int pixel = 0; pixel < 4; ++pixel) {
                    uint32_t row =
                        dot(low, weights_of<triangular>(pixel, 0), Division<triangular>::row_base);
                    row = dot(high, weights_of<triangular>(pixel, 1), row);
                    quotients[pixel] =
                        quotient_in_low_byte<triangular>(windows[s][pixel].push(row, turn));
                }
                const uint32_t word =
                    pack_low_bytes(quotients[0], quotients[1], quotients[2], quotients[3]);
                const uint32_t aligned =
                    __funnelshift_r(word, from_lane_after(word, 1), 8 * skipped);
                if (wanted && skipped <= room[s])
                    *reinterpret_cast<uint32_t*>(out + begin + skipped + s * strip) = aligned;
            }
        }
    }
}
// ANCHOR_END: kernel

template <bool triangular>
void smooth(const uint8_t* gray, uint8_t* out, int width, int height) {
    const Plan plan = plan_for(width, height, strips_per_warp * strip, 24, turns);
    smooth_kernel<triangular><<<plan.blocks(), block_size>>>(gray, out, plan, width, height);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth<false>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth<true>(gray, out, width, height);
}
