// Rung 13: strips of words that slide down, a warp each.
//
// Before:   every row is loaded and multiplied for each of the five rows of results that need it,
//           whole threads stop for pixels at the end of a row, and each quotient takes a
//           multiplication whose upper half counts, shifts and masks.
// Change:   a warp goes down a strip. Each lane loads one aligned word of a row (three of a colour
//           image), gets the two after it from its neighbours by shuffles, and keeps in registers
//           what the next rows need: sums of the last rows for the means, five unfinished results
//           for the filter. Results are shifted into aligned words by the next lane's; that takes
//           the last lanes, so strips overlap. A lane has words of two strips of the means, which
//           share the index computations; the filter's words go through shared memory, so that
//           neighbouring lanes store neighbouring words. One multiplication in `float` divides. Of
//           the 25 products of the filter, seven dot products remain: four columns of each row, and
//           the fifth column as a word of its own. Nothing in the loop depends on the thread but
//           which words it stores: the border, with the words that a row's ends cut, is done by the
//           first blocks of the same launch.
// Expected: each byte loaded once but for the overlaps, about ten instructions a pixel of a mean:
//           near what the memory gives. The filter stays limited by its products.
#include "workbook.cuh"

constexpr int warps = 2;
constexpr int block_size = 32 * warps;
constexpr int radius = 2;
constexpr uint32_t all_lanes = 0xffffffff;

// Lanes 0 to 29 have whole neighbourhoods; their results, shifted, make 29 aligned words (87 for
// the filter), whatever the shift.
constexpr int full_lanes = 29;
constexpr int strip = 4 * full_lanes;  // columns from one strip to the next
constexpr int strips_a_warp = 2;       // of the means

// The rows at the top and at the bottom that strips leave out: two that are border anyway, and one
// more, so that what they load beyond the end of a row is in the next.
constexpr int rows_above = radius, rows_below = radius + 1, outer_rows = rows_above + rows_below;

// How the work is divided: blocks of the border first, then `across` blocks for each band of
// `rows`.
struct Plan {
    int border, border_blocks;  // bytes, one a thread
    int across, down, rows;
    __host__ __device__ int blocks() const { return border_blocks + across * down; }
};

// Bytes at each end of a row that may be border: two pixels, and what is missing from a word.
template <int channels>
__host__ __device__ constexpr int end_bytes() {
    return radius * channels + 3;
}

// Rows a warp: as many as let all warps of the image run at once, `resident` on a multiprocessor,
// but not so few that the four rows it loads besides outweigh them; with those a multiple of
// `period`.
int rows_a_warp(int columns_of_warps, int rows, int resident, int period) {
    constexpr int fewest = 32;
    int multiprocessors = 0;
    WORKBOOK_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    const int bands = resident * multiprocessors / columns_of_warps;
    const int wanted = bands == 0 ? rows : ceil_div(rows, bands);
    const int loaded = (wanted < fewest ? fewest : wanted) + 2 * radius;
    return ceil_div(loaded, period) * period - 2 * radius;
}

template <int channels>
Plan plan_for(int width, int height, int columns_a_warp, int resident, int period) {
    Plan plan = {channels * width * height, 0, 0, 0, 1};
    if (width >= 16 && height >= 8) {
        const int rows = height - outer_rows;
        plan.border = outer_rows * channels * width + 2 * end_bytes<channels>() * rows;
        plan.across = ceil_div(ceil_div(width - 2 * radius, columns_a_warp), warps);
        plan.rows = rows_a_warp(plan.across * warps, rows, resident, period);
        plan.down = ceil_div(rows, plan.rows);
    }
    plan.border_blocks = ceil_div(plan.border, block_size);
    return plan;
}

// Byte number i of the border: the rows above and below first, then the ends of the other rows.
// False if it belongs to a whole word of a strip.
template <int channels>
__device__ bool border_byte(int i, const Plan& plan, int width, int height, int& byte, int& y) {
    constexpr int ends = end_bytes<channels>(), edge = radius * channels;
    const int row_bytes = channels * width;
    byte = i % row_bytes, y = i / row_bytes;
    if (plan.across == 0) return true;
    if (y < outer_rows) {
        if (y >= rows_above) y += height - outer_rows;
        return true;
    }
    i -= outer_rows * row_bytes;
    byte = i % (2 * ends), y = rows_above + i / (2 * ends);
    const int begin = y * row_bytes + edge, end = (y + 1) * row_bytes - edge;
    if (byte < ends) return byte < edge + (-begin & 3);
    byte += row_bytes - 2 * ends;
    return byte >= row_bytes - edge - (end & 3);
}

// Where a warp works. The columns differ between lanes; the rows are the same for the whole block.
struct Place {
    int column, top, bottom;
};

__device__ Place place_of_thread(const Plan& plan, int columns_a_warp, int height) {
    const int block = blockIdx.x - plan.border_blocks;
    const int warp = warps * (block % plan.across) + threadIdx.x / 32;
    const int top = rows_above + plan.rows * (block / plan.across);
    return {radius + columns_a_warp * warp + 4 * int(threadIdx.x % 32), top,
            min(top + plan.rows, height - rows_below)};
}

// The column that a lane loads for: beyond the end of the row the first of them that no result
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

// ---- The means ---------------------------------------------------------------------------------

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
// for 25 and 0.003 for 81; the rounding to a whole number that floats above 2^23 have anyway makes
// it the nearest quotient, because total is odd and no quotient is closer to a half than 1 / (2
// total). The quotient is then the lowest byte. The bias makes the offset a whole number. (A test
// of the lab tries all sums.)
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

template <bool triangular>
__device__ uint32_t quotient_in_low_byte(uint32_t sum) {
    using D = Division<triangular>;
    return __float_as_uint(fmaf(__uint_as_float(sum), 1.0f / D::total, D::offset));
}

// The sum over the last five rows in one column, as the sum of each row's five is pushed. `turn`
// counts the rows modulo 6: what is kept has a place more than it needs, so that nothing has to be
// moved.
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
    if (i < plan.border && border_byte<1>(i, plan, width, height, x, y))
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
    const Place place = place_of_thread(plan, strips_a_warp * strip, height);
    int source[strips_a_warp], room[strips_a_warp];
    for (int s = 0; s < strips_a_warp; ++s) {
        const int column = place.column + s * strip;
        source[s] = column_to_load(column, width) - radius;
        // How far a word may be shifted and still end with the results of this row and strip.
        room[s] = threadIdx.x % 32 < full_lanes ? width - radius - column - 4 : -1;
    }
    Window<triangular> windows[strips_a_warp][4];
    for (int first = place.top - radius; first < place.bottom + radius; first += turns) {
        uint32_t loaded[turns][strips_a_warp];
#pragma unroll
        for (int turn = 0; turn < turns; ++turn) {
            const int row = min(first + turn, place.bottom + radius - 1);
#pragma unroll
            for (int s = 0; s < strips_a_warp; ++s)
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
            for (int s = 0; s < strips_a_warp; ++s) {
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
    const Plan plan = plan_for<1>(width, height, strips_a_warp * strip, 24, turns);
    smooth_kernel<triangular><<<plan.blocks(), block_size>>>(gray, out, plan, width, height);
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
    float scale;  // 1 / (256 divisor)
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

// Bits of the float 1.5 * 2^23: a sum of bytes times signed bytes, less than 2^20 either way, added
// to them gives the float 1.5 * 2^23 + sum.
constexpr uint32_t sum_base = 0x4b400000;

// The quotient, cut off and clamped, in the lowest byte. (sum + 1/2) / divisor is at least 1/2 /
// divisor away from a whole number; four roundings, each off by 2^-24 of it, are off by less than
// 2^20 / divisor * 2^-22. The first product is clamped to 0..1 for nothing.
__device__ uint32_t clamped_in_low_byte(uint32_t sum, float scale) {
    const float whole = __uint_as_float(sum) - __uint_as_float(sum_base);
    const float part_of_256 = __saturatef(fmaf(whole, scale, 0.5f * scale));
    constexpr float just_below_256 = 255.99998f;
    return __float_as_uint(__fmaf_rd(part_of_256, just_below_256, 8388608.0f));
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

// The aligned words that hold this byte and the twelve from it on, but for the last few.
__device__ void load_three_words(const uint8_t* bytes, int offset, uint32_t (&words)[3]) {
    const uint32_t* source = reinterpret_cast<const uint32_t*>(bytes + (offset & ~3));
    for (int k = 0; k < 3; ++k) words[k] = source[k];
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

__global__ void __launch_bounds__(block_size)
    filter_bytes_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out, Plan plan,
                        ByteFilter bytes, Filter filter, int divisor, int width, int height) {
    if (blockIdx.x < plan.border_blocks) {
        int x, y;
        const int i = blockIdx.x * block_size + threadIdx.x;
        if (i < plan.border && border_byte<3>(i, plan, width, height, x, y))
            out[3 * y * width + x] = filtered(rgb, x, y, filter, divisor, width, height);
        return;
    }
    __shared__ uint32_t staged[warps][96];
    uint32_t* mine = staged[threadIdx.x / 32];
    const Place place = place_of_thread(plan, strip, height);
    const int lane = threadIdx.x % 32;
    const int source = 3 * (column_to_load(place.column, width) - radius);
    // What this lane stores of a row: words `lane`, `lane` + 32 and `lane` + 64 of the warp's 87.
    const int target = 3 * (place.column - 4 * lane) + 4 * lane;
    const int room = 3 * (width - radius) - target - 4;
    Results results = {};
    uint32_t loaded[3];
    load_three_words(rgb, 3 * (place.top - radius) * width + source, loaded);
#pragma unroll 5
    for (int row = place.top - radius; row < place.bottom + radius; ++row) {
        uint32_t words[4], left[3], right[3];
        for (int k = 0; k < 3; ++k) words[k] = loaded[k];
        // The next row is under way while this one is multiplied.
        const int next_row = min(row + 1, place.bottom + radius - 1);
        load_three_words(rgb, 3 * next_row * width + source, loaded);
        words[3] = from_lane_after(words[0], 1);
        const int shift = 8 * ((3 * row * width + source) & 3);
        for (int k = 0; k < 3; ++k) words[k] = __funnelshift_r(words[k], words[k + 1], shift);
        part(words, left);
        for (int k = 0; k < 3; ++k) right[k] = from_lane_after(left[k], 1);
        results.add(left, right, bytes);
        const int y = row - radius;
        if (y < place.top) continue;
        results.finish(bytes.scale, words);
        words[3] = from_lane_after(words[0], 1);
        const int begin = 3 * y * width + target, skipped = -begin & 3;
        for (int k = 0; k < 3; ++k)
            mine[3 * lane + k] = __funnelshift_r(words[k], words[k + 1], 8 * skipped);
        __syncwarp();  // the row's results are in shared memory
        uint32_t* aligned = reinterpret_cast<uint32_t*>(out + begin + skipped);
        if (skipped <= room) aligned[0] = mine[lane];
        if (skipped + 128 <= room) aligned[32] = mine[lane + 32];
        if (skipped + 256 <= room && lane < 3 * full_lanes - 64) aligned[64] = mine[lane + 64];
        __syncwarp();  // all have read: the next row may overwrite
    }
}

// Any filter: a thread for every byte.
__global__ void filter_any_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                                  Filter filter, int divisor, int width, int height) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 3 * width * height) return;
    out[i] = filtered(rgb, i % (3 * width), i / (3 * width), filter, divisor, width, height);
}

// Packs the filter; false if a value does not fit a signed byte.
bool pack(const Filter& filter, int divisor, ByteFilter& packed) {
    packed = {};
    packed.scale = 1.0f / divisor / 256;
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
    if (pack(filter, divisor, bytes)) {
        const Plan plan = plan_for<3>(width, height, strip, 16, 5);
        filter_bytes_kernel<<<plan.blocks(), block_size>>>(rgb, out, plan, bytes, filter, divisor,
                                                           width, height);
    } else {
        const int blocks = ceil_div(3 * width * height, block_size);
        filter_any_kernel<<<blocks, block_size>>>(rgb, out, filter, divisor, width, height);
    }
}
