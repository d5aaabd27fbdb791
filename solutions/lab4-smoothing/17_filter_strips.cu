// Rung 17: a warp filters a strip.
//
// tasks: filter_rgb
// level: expert
//
// Before:   a thread loads the six words around its four pixels, of which its neighbours load five
//           too, and stores single bytes where a row does not begin at a word.
// Change:   strips as in rung 16. Each lane loads three words of a row, and gets its neighbour's
//           pixels by shuffles. The finished words go through shared memory, so that neighbouring
//           lanes store neighbouring words. The next row is in flight while a row is multiplied.
// Expected: half of the loads, and full stores in every row. The products stay the limit.
#include "workbook.cuh"

constexpr int warps = 2;
constexpr int block_size = 32 * warps;
constexpr int radius = 2;
constexpr uint32_t all_lanes = 0xffffffff;

// Lanes 0 to 29 have whole neighbourhoods; their results, shifted, make 87 aligned words, whatever
// the shift.
constexpr int full_lanes = 29;
constexpr int strip = 4 * full_lanes;  // columns from one strip to the next

// The rows at the top and at the bottom that strips leave out: two that are border anyway, and one
// more, so that words past the end of a row are in the next row.
constexpr int rows_above = radius, rows_below = radius + 1, outer_rows = rows_above + rows_below;

// How the work is divided: blocks of the border first, then `across` blocks for each band of
// `rows`.
struct Plan {
    int border, border_blocks;  // bytes, one per thread
    int across, down, rows;
    __host__ __device__ int blocks() const { return border_blocks + across * down; }
};

// Bytes of two pixels, and those at each end of a row that may be border: the two pixels and the
// bytes that do not fill a word.
constexpr int edge = 3 * radius, ends = edge + 3;

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

Plan plan_for(int width, int height, int resident, int period) {
    Plan plan = {3 * width * height, 0, 0, 0, 1};
    if (width >= 16 && height >= 8) {
        const int rows = height - outer_rows;
        plan.border = outer_rows * 3 * width + 2 * ends * rows;
        plan.across = ceil_div(ceil_div(width - 2 * radius, strip), warps);
        plan.rows = rows_per_warp(plan.across * warps, rows, resident, period);
        plan.down = ceil_div(rows, plan.rows);
    }
    plan.border_blocks = ceil_div(plan.border, block_size);
    return plan;
}

// Byte number i of the border: the rows above and below first, then the ends of the other rows.
// False if it belongs to a whole word of a strip.
__device__ bool border_byte(int i, const Plan& plan, int width, int height, int& byte, int& y) {
    const int row_bytes = 3 * width;
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

__device__ Place place_of_thread(const Plan& plan, int height) {
    const int block = blockIdx.x - plan.border_blocks;
    const int warp = warps * (block % plan.across) + threadIdx.x / 32;
    const int top = rows_above + plan.rows * (block / plan.across);
    return {radius + strip * warp + 4 * int(threadIdx.x % 32), top,
            min(top + plan.rows, height - rows_below)};
}

// The column that a lane loads for. Past the end of the row: the first column that no result
// needs.
__device__ int column_to_load(int column, int width) {
    const int beyond = width + radius;
    return min(column, beyond + ((column - beyond) & 3));
}

__device__ uint32_t from_lane_after(uint32_t value, int lanes) {
    return __shfl_down_sync(all_lanes, value, lanes);
}

// The lowest bytes of four words, side by side.
__device__ uint32_t pack_low_bytes(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
}

struct Filter {
    int values[25];
};

// The filter in signed bytes: the first four values of each row, those of the last column's first
// four rows, and the last value alone, in each of the four bytes.
struct ByteFilter {
    int rows[5], column, last[4];
    float scale;  // 1 / (256 divisor)
};

// The sum of the four products of the unsigned bytes of `bytes` and the signed bytes of `weights`,
// plus `sum`. There is no function for one unsigned and one signed operand.
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
// 2^20 / divisor * 2^-22. Clamping the first product to 0..1 costs nothing.
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

// Three words of four interleaved pixels to one word per channel.
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

// ANCHOR: kernel
__global__ void __launch_bounds__(block_size)
    filter_bytes_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out, Plan plan,
                        ByteFilter bytes, Filter filter, int divisor, int width, int height) {
    if (blockIdx.x < plan.border_blocks) {
        int x, y;
        const int i = blockIdx.x * block_size + threadIdx.x;
        if (i < plan.border && border_byte(i, plan, width, height, x, y))
            out[3 * y * width + x] = filtered(rgb, x, y, filter, divisor, width, height);
        return;
    }
    __shared__ uint32_t staged[warps][96];
    uint32_t* mine = staged[threadIdx.x / 32];
    const Place place = place_of_thread(plan, height);
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
        // The next row is in flight while this one is multiplied.
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
// ANCHOR_END: kernel

// Any filter: one byte per thread.
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
        const Plan plan = plan_for(width, height, 16, 5);
        filter_bytes_kernel<<<plan.blocks(), block_size>>>(rgb, out, plan, bytes, filter, divisor,
                                                           width, height);
    } else {
        const int blocks = ceil_div(3 * width * height, block_size);
        filter_any_kernel<<<blocks, block_size>>>(rgb, out, filter, divisor, width, height);
    }
}
