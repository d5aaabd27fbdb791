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
//           the fifth column as a word of its own. The border is done by the first blocks of the
//           same launch.
// Expected: each byte loaded once but for the overlaps, about ten instructions a pixel of a mean:
//           near what the memory gives. The filter stays limited by its products.
#include "workbook.cuh"

constexpr int block_size = 128;
constexpr int warps = block_size / 32;
constexpr int rows_a_warp = 48;
constexpr int radius = 2;
constexpr uint32_t all_lanes = 0xffffffff;

// Lanes 0 to 29 have whole neighbourhoods; their results, shifted, make 29 aligned words (87 for
// the filter), whatever the shift.
constexpr int full_lanes = 29;
constexpr int strip = 4 * full_lanes;  // columns from one strip to the next
constexpr int strips_a_warp = 2;       // of the means

// What the strips do, and what is left. Their results begin at (radius, radius) and end before the
// third row from below: so no word that they need is cut off by the end of the buffer.
struct Plan {
    int border_pixels, border_blocks;
    int across, down;  // warps
    __host__ __device__ int blocks() const {
        return border_blocks + ceil_div(across * down, warps);
    }
};

constexpr int rows_above = radius, rows_below = radius + 1, outer_rows = rows_above + rows_below;

Plan plan_for(int width, int height, int columns_a_warp) {
    Plan plan = {width * height, 0, 0, 0};
    if (width >= 16 && height >= 8) {
        plan.border_pixels = outer_rows * width + 2 * radius * (height - outer_rows);
        plan.across = ceil_div(width - 2 * radius, columns_a_warp);
        plan.down = ceil_div(height - outer_rows, rows_a_warp);
    }
    plan.border_blocks = ceil_div(plan.border_pixels, block_size);
    return plan;
}

// Pixel number i of the border: the rows above and below first, then the columns left and right.
__device__ int2 border_pixel(int i, const Plan& plan, int width, int height) {
    if (plan.across == 0) return make_int2(i % width, i / width);
    if (i < outer_rows * width) {
        const int row = i / width;
        return make_int2(i % width, row < rows_above ? row : height - outer_rows + row);
    }
    const int rest = i - outer_rows * width, column = rest % (2 * radius);
    return make_int2(column < radius ? column : width - 2 * radius + column,
                     rows_above + rest / (2 * radius));
}

// The rows of results of this thread's warp, and the column of the lane's first one.
struct Place {
    int lane, column, top, bottom;
};

// False for warps beyond the last.
__device__ bool place_of_thread(const Plan& plan, int columns_a_warp, int height, Place& place) {
    const int warp = (blockIdx.x - plan.border_blocks) * warps + threadIdx.x / 32;
    place.lane = threadIdx.x % 32;
    place.column = radius + columns_a_warp * (warp % plan.across) + 4 * place.lane;
    place.top = rows_above + rows_a_warp * (warp / plan.across);
    place.bottom = min(place.top + rows_a_warp, height - rows_below);
    return warp / plan.across < plan.down;
}

__device__ uint32_t from_lane_after(uint32_t value, int lanes) {
    return __shfl_down_sync(all_lanes, value, lanes);
}

// The lowest bytes of four words, side by side.
__device__ uint32_t pack_low_bytes(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
}

// Stores a word, or those of its bytes that lie before `end`; none if it begins there or later.
__device__ void store_before(uint8_t* out, int begin, int end, uint32_t word) {
    if (begin + 4 <= end)
        *reinterpret_cast<uint32_t*>(out + begin) = word;
    else
        for (int i = begin; i < end; ++i, word >>= 8) out[i] = word;
}

// ---- The means ---------------------------------------------------------------------------------

template <bool triangular>
__device__ constexpr int weight_at(int distance) {
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

// The sum over the last five rows in one column, as each row's sum of five is pushed.
template <bool triangular>
struct Window;

template <>
struct Window<false> {
    uint32_t rows[5] = {}, sum = 0;
    __device__ uint32_t push(uint32_t row) {
        sum += row - rows[0];
        for (int k = 0; k < 4; ++k) rows[k] = rows[k + 1];
        rows[4] = row;
        return sum;
    }
};

// 1 2 3 2 1 are three sums of three added up.
template <>
struct Window<true> {
    uint32_t rows[2] = {}, threes[2] = {};
    __device__ uint32_t push(uint32_t row) {
        const uint32_t three = rows[0] + rows[1] + row, sum = threes[0] + threes[1] + three;
        rows[0] = rows[1], rows[1] = row;
        threes[0] = threes[1], threes[1] = three;
        return sum;
    }
};

// One pixel anywhere, with all checks.
template <bool triangular>
__device__ uint8_t mean_at(const uint8_t* gray, int2 p, int width, int height) {
    int sum = 0, total = 0;
    for (int row = max(p.y - radius, 0); row <= min(p.y + radius, height - 1); ++row) {
        for (int column = max(p.x - radius, 0); column <= min(p.x + radius, width - 1); ++column) {
            const int weight =
                weight_at<triangular>(row - p.y) * weight_at<triangular>(column - p.x);
            sum += weight * gray[row * width + column];
            total += weight;
        }
    }
    return (sum + total / 2) / total;
}

// The four results of a lane, whose first is in this column of row y, to aligned words.
__device__ void store_means(uint8_t* out, uint32_t word, int y, int column, int lane, int width) {
    const int begin = y * width + column, end = y * width + width - radius;
    const int skipped = -begin & 3;  // the same for all lanes
    const uint32_t aligned = __funnelshift_r(word, from_lane_after(word, 1), 8 * skipped);
    if (lane < full_lanes) store_before(out, begin + skipped, end, aligned);
    if (column == radius)
        for (int k = 0; k < skipped; ++k) out[begin + k] = word >> (8 * k);
}

// ANCHOR: kernel
template <bool triangular>
__global__ void __launch_bounds__(block_size)
    smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, Plan plan, int width,
                  int height) {
    if (blockIdx.x < plan.border_blocks) {
        const int i = blockIdx.x * block_size + threadIdx.x;
        if (i >= plan.border_pixels) return;
        const int2 p = border_pixel(i, plan, width, height);
        out[p.y * width + p.x] = mean_at<triangular>(gray, p, width, height);
        return;
    }
    Place place;
    if (!place_of_thread(plan, strips_a_warp * strip, height, place)) return;
    const uint32_t* words = reinterpret_cast<const uint32_t*>(gray);
    const int last_word =
        width * height / 4 - 1;  // loads beyond it are for lanes that store nothing
    // As many rows are loaded before the first is needed as the windows take to turn round.
    constexpr int depth = triangular ? 4 : 5;
    Window<triangular> windows[strips_a_warp][4];
    for (int first = place.top - radius; first < place.bottom + radius; first += depth) {
        uint32_t loaded[depth][strips_a_warp];
#pragma unroll
        for (int k = 0; k < depth; ++k) {
            const int offset = (first + k) * width + place.column - radius;
#pragma unroll
            for (int s = 0; s < strips_a_warp; ++s)
                loaded[k][s] = words[min((offset + s * strip) / 4, last_word)];
        }
#pragma unroll
        for (int k = 0; k < depth; ++k) {
            const int y = first + k - radius;
            const int shift = 8 * (((first + k) * width + place.column - radius) & 3);
#pragma unroll
            for (int s = 0; s < strips_a_warp; ++s) {
                const uint32_t own = loaded[k][s], next = from_lane_after(own, 1);
                const uint32_t low = __funnelshift_r(own, next, shift);
                const uint32_t high = __funnelshift_r(next, from_lane_after(own, 2), shift);
                uint32_t quotients[4];
#pragma unroll
                for (int pixel = 0; pixel < 4; ++pixel) {
                    uint32_t row =
                        dot(low, weights_of<triangular>(pixel, 0), Division<triangular>::row_base);
                    row = dot(high, weights_of<triangular>(pixel, 1), row);
                    const uint32_t sum = windows[s][pixel].push(row);
                    quotients[pixel] = quotient_in_low_byte<triangular>(sum);
                }
                if (y < place.top || y >= place.bottom) continue;
                store_means(out,
                            pack_low_bytes(quotients[0], quotients[1], quotients[2], quotients[3]),
                            y, place.column + s * strip, place.lane, width);
            }
        }
    }
}
// ANCHOR_END: kernel

template <bool triangular>
void smooth(const uint8_t* gray, uint8_t* out, int width, int height) {
    const Plan plan = plan_for(width, height, strips_a_warp * strip);
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
    float inverse;  // 1 / divisor
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
// divisor away from a whole number, and the two roundings are off by less than 2^20 / divisor *
// 2^-23.
__device__ uint32_t clamped_in_low_byte(uint32_t sum, float inverse) {
    const float whole = __uint_as_float(sum) - __uint_as_float(sum_base);
    const float quotient = fmaf(whole, inverse, 0.5f * inverse);
    return __float_as_uint(__fadd_rd(fminf(fmaxf(quotient, 0.0f), 255.0f), 8388608.0f));
}

// One byte of one pixel anywhere.
__device__ uint8_t filtered(const uint8_t* rgb, int2 p, int channel, const Filter& filter,
                            int divisor, int width, int height) {
    const uint8_t* centre = rgb + 3 * (p.y * width + p.x) + channel;
    if (p.x < radius || p.y < radius || p.x >= width - radius || p.y >= height - radius)
        return *centre;
    int sum = 0;
#pragma unroll
    for (int k = 0; k < 25; ++k)
        sum += filter.values[k] * centre[3 * ((k / 5 - radius) * width + k % 5 - radius)];
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
    __device__ void finish(float inverse, uint32_t* words) const {
#pragma unroll
        for (int word = 0; word < 3; ++word) {
            uint32_t bytes[4];
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                const int byte = 4 * word + k;
                bytes[k] = clamped_in_low_byte(sums[4][byte % 3][byte / 3], inverse);
            }
            words[word] = pack_low_bytes(bytes[0], bytes[1], bytes[2], bytes[3]);
        }
    }
};

// The results of a warp in row y to aligned words; `staged` has room for 96 of them.
__device__ void store_filtered(uint8_t* out, const uint32_t* words, uint32_t* staged, int y,
                               const Place& place, int width) {
    const int column = place.column - 4 * place.lane;  // of the warp's first result
    const int begin = 3 * (y * width + column), end = 3 * (y * width + width - radius);
    const int skipped = -begin & 3;
    for (int k = 0; k < 3; ++k) staged[3 * place.lane + k] = words[k];
    __syncwarp();  // the row's results are in shared memory
    for (int word = place.lane; word < 3 * full_lanes; word += 32) {
        const uint32_t aligned = __funnelshift_r(staged[word], staged[word + 1], 8 * skipped);
        store_before(out, begin + skipped + 4 * word, end, aligned);
    }
    if (place.column == radius)
        for (int k = 0; k < skipped; ++k) out[begin + k] = words[0] >> (8 * k);
    __syncwarp();  // all have read: the next row may overwrite
}

__global__ void __launch_bounds__(block_size)
    filter_bytes_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out, Plan plan,
                        ByteFilter bytes, Filter filter, int divisor, int width, int height) {
    __shared__ uint32_t staged[warps][96];
    if (blockIdx.x < plan.border_blocks) {
        const int i = blockIdx.x * block_size + threadIdx.x;
        if (i >= plan.border_pixels) return;
        const int2 p = border_pixel(i, plan, width, height);
        for (int channel = 0; channel < 3; ++channel)
            out[3 * (p.y * width + p.x) + channel] =
                filtered(rgb, p, channel, filter, divisor, width, height);
        return;
    }
    Place place;
    if (!place_of_thread(plan, strip, height, place)) return;
    const uint32_t* source = reinterpret_cast<const uint32_t*>(rgb);
    const int last_word = 3 * width * height / 4 - 1;
    Results results = {};
#pragma unroll 5
    for (int row = place.top - radius; row < place.bottom + radius; ++row) {
        const int offset = 3 * (row * width + place.column - radius);
        uint32_t words[7], left[3], right[3];
        for (int k = 0; k < 3; ++k) words[k] = source[min(offset / 4 + k, last_word)];
        for (int k = 0; k < 3; ++k) words[3 + k] = from_lane_after(words[k], 1);
        words[6] = from_lane_after(words[0], 2);
        const int shift = 8 * (offset & 3);
        for (int k = 0; k < 6; ++k) words[k] = __funnelshift_r(words[k], words[k + 1], shift);
        part(words, left);
        part(words + 3, right);
        results.add(left, right, bytes);
        if (row < place.top + radius) continue;
        results.finish(bytes.inverse, words);
        store_filtered(out, words, staged[threadIdx.x / 32], row - radius, place, width);
    }
}

// Any filter: a thread for every byte.
__global__ void filter_any_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                                  Filter filter, int divisor, int width, int height) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 3 * width * height) return;
    const int2 p = make_int2(i / 3 % width, i / 3 / width);
    out[i] = filtered(rgb, p, i % 3, filter, divisor, width, height);
}

// Packs the filter; false if a value does not fit a signed byte.
bool pack(const Filter& filter, int divisor, ByteFilter& packed) {
    packed = {};
    packed.inverse = 1.0f / divisor;
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
        const Plan plan = plan_for(width, height, strip);
        filter_bytes_kernel<<<plan.blocks(), block_size>>>(rgb, out, plan, bytes, filter, divisor,
                                                           width, height);
    } else {
        const int blocks = ceil_div(3 * width * height, block_size);
        filter_any_kernel<<<blocks, block_size>>>(rgb, out, filter, divisor, width, height);
    }
}
