// Rung 15: seven dot products in place of ten.
//
// tasks: filter_rgb
//
// Before:   each of the five filter rows takes two dot products per byte, although the second one
//           has a single weight that is not zero; and each byte is divided as a whole number by a
//           divisor that the compiler does not know.
// Change:   four neighbours of a row and their four weights take one dot product. The fifth column
//           is gathered in a word of its own: four rows of it take one dot product, the fifth row
//           another. So five rows take seven products. A sum is kept as the bits of a float. A
//           multiplication divides it, and the conversion of a float clamps it.
// Expected: fewer instructions per byte: a clear gain. The sums and the filter's words take nearly
//           all registers of a thread.
#include "workbook.cuh"

constexpr int block_size = 64;  // tune: 32 64 128
constexpr int rows_per_thread = 32;  // tune: 16 32 64
constexpr int radius = 2;

struct Filter {
    int values[25];
};

// The pixels that the sliding kernel does: columns 4 to 4 * groups + 3, and all rows that are not
// border. The words that they need are in their rows.
struct Inner {
    int groups, rows;
    __host__ __device__ int columns() const { return 4 * groups; }
};

Inner inner_of(int width, int height) {
    const Inner inner = {(width - 8) / 4, height - 2 * radius};
    return inner.groups <= 0 || inner.rows <= 0 ? Inner{0, 0} : inner;
}

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

// `words` words from any offset of a buffer that itself begins at a word. Touches the word after
// them.
template <int words>
__device__ void load_words(const uint8_t* buffer, int offset, uint32_t (&loaded)[words]) {
    const uint32_t* source = reinterpret_cast<const uint32_t*>(buffer) + offset / 4;
    const int shift = 8 * (offset % 4);
    uint32_t low = source[0];
#pragma unroll
    for (int k = 0; k < words; ++k) {
        const uint32_t high = source[k + 1];
        loaded[k] = __funnelshift_r(low, high, shift);
        low = high;
    }
}

// The filter in signed bytes: the first four values of each row, the last column's first four
// values, and the last value alone, in each of the four bytes.
struct ByteFilter {
    int rows[5], column, last[4];
    float scale;  // 1 / (256 divisor)
};

// Three words of four interleaved pixels to one word per channel.
__device__ void part(const uint32_t* words, uint32_t (&channels)[3]) {
    const uint32_t a = words[0], b = words[1], c = words[2];  // R G B R | G B R G | B R G B
    channels[0] = __byte_perm(__byte_perm(a, b, 0x0630), c, 0x5210);
    channels[1] = __byte_perm(__byte_perm(a, b, 0x0741), c, 0x6210);
    channels[2] = __byte_perm(__byte_perm(a, b, 0x0052), c, 0x7410);
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

// The lowest bytes of four words, side by side.
__device__ uint32_t pack_low_bytes(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
}

// ANCHOR: results
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
// ANCHOR_END: results

// Stores the bytes of three words anywhere.
__device__ void store_three(uint8_t* out, int first, const uint32_t (&words)[3]) {
    if (first % 4 == 0) {  // the same for all threads of a warp
        for (int k = 0; k < 3; ++k) reinterpret_cast<uint32_t*>(out)[first / 4 + k] = words[k];
    } else {
        for (int k = 0; k < 12; ++k) out[first + k] = words[k / 4] >> (8 * (k % 4));
    }
}

// ANCHOR: kernel
__global__ void filter_bytes_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                                    ByteFilter filter, Inner inner, int width) {
    const int blocks = ceil_div(inner.groups, block_size);
    const int group = block_size * (blockIdx.x % blocks) + threadIdx.x;
    if (group >= inner.groups) return;
    const int x = 4 + 4 * group;
    const int top = radius + rows_per_thread * (blockIdx.x / blocks);
    const int bottom = min(top + rows_per_thread, radius + inner.rows);
    Results results = {};
#pragma unroll 5
    for (int row = top - radius; row < bottom + radius; ++row) {
        uint32_t words[6], left[3], right[3];
        load_words(rgb, 3 * (row * width + x - radius), words);
        part(words, left);
        part(words + 3, right);
        results.add(left, right, filter);
        const int y = row - radius;
        if (y < top) continue;
        uint32_t finished[3];
        results.finish(filter.scale, finished);
        store_three(out, 3 * (y * width + x), finished);
    }
}
// ANCHOR_END: kernel

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

// The bytes outside the inner pixels, one per thread: the rows above and below first, then the
// columns at both sides.
__global__ void border_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                              Filter filter, int divisor, Inner inner, int width, int height) {
    const int row_bytes = 3 * width, inner_bytes = 3 * inner.columns();
    const int outer_bytes = (height - inner.rows) * row_bytes;
    const int side_bytes = row_bytes - inner_bytes;
    int i = blockIdx.x * blockDim.x + threadIdx.x, x, y;
    if (i < outer_bytes) {
        x = i % row_bytes, y = i / row_bytes;
        if (y >= radius) y += inner.rows;
    } else {
        i -= outer_bytes;
        if (i >= inner.rows * side_bytes) return;
        x = i % side_bytes, y = radius + i / side_bytes;
        if (x >= 3 * 4) x += inner_bytes;
    }
    out[y * row_bytes + x] = filtered(rgb, x, y, filter, divisor, width, height);
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
    // A filter that does not fit is done like the border: one byte per thread.
    const Inner inner = pack(filter, divisor, bytes) ? inner_of(width, height) : Inner{0, 0};
    const int border = 3 * (width * height - inner.columns() * inner.rows);
    border_kernel<<<ceil_div(border, 256), 256>>>(rgb, out, filter, divisor, inner, width, height);
    if (inner.groups == 0) return;
    const int blocks = ceil_div(inner.groups, block_size) * ceil_div(inner.rows, rows_per_thread);
    filter_bytes_kernel<<<blocks, block_size>>>(rgb, out, bytes, inner, width);
}
