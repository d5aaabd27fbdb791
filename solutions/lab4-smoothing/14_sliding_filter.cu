// Rung 14: slide the filter down.
//
// tasks: filter_rgb
//
// Before:   every row of the colour image is loaded, shifted and parted for each of the five rows
//           of results that need it.
// Change:   as in rung 9, a thread goes down its columns with unfinished results in registers: five
//           rows of four pixels in three channels. A row that is loaded adds a dot product to each
//           of them, and finishes one row. A second kernel does the border, one byte per thread.
// Expected: the same products as before, and a fifth of the loads and permutations. The sixty sums
//           of a thread take many registers, so fewer threads run at once.
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
__device__ int dot_signed(uint32_t bytes, int weights, int sum) {
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

// The filter for dot products: for each of its rows and each of four neighbouring pixels the
// weights of eight bytes in a row, of which the pixel's five neighbours begin at byte `pixel`.
struct ByteFilter {
    int weights[5][4][2];
};

// Three words of four interleaved pixels to one word per channel.
__device__ void part(const uint32_t* words, uint32_t (&channels)[3]) {
    const uint32_t a = words[0], b = words[1], c = words[2];  // R G B R | G B R G | B R G B
    channels[0] = __byte_perm(__byte_perm(a, b, 0x0630), c, 0x5210);
    channels[1] = __byte_perm(__byte_perm(a, b, 0x0741), c, 0x6210);
    channels[2] = __byte_perm(__byte_perm(a, b, 0x0052), c, 0x7410);
}

__device__ uint32_t quotient(int sum, int divisor) { return min(max(sum / divisor, 0), 255); }

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
                                    ByteFilter filter, int divisor, Inner inner, int width) {
    const int blocks = ceil_div(inner.groups, block_size);
    const int group = block_size * (blockIdx.x % blocks) + threadIdx.x;
    if (group >= inner.groups) return;
    const int x = 4 + 4 * group;
    const int top = radius + rows_per_thread * (blockIdx.x / blocks);
    const int bottom = min(top + rows_per_thread, radius + inner.rows);
    // Unfinished results: sums[k] lacks the rows that filter rows k + 1 to 4 belong to.
    int sums[5][3][4] = {};
#pragma unroll 5
    for (int row = top - radius; row < bottom + radius; ++row) {
        uint32_t words[6], left[3], right[3];
        load_words(rgb, 3 * (row * width + x - radius), words);
        part(words, left);
        part(words + 3, right);
        for (int channel = 0; channel < 3; ++channel) {
            for (int pixel = 0; pixel < 4; ++pixel) {
                for (int k = 4; k >= 0; --k) {
                    const int before = k > 0 ? sums[k - 1][channel][pixel] : 0;
                    const int sum = dot_signed(left[channel], filter.weights[k][pixel][0], before);
                    sums[k][channel][pixel] =
                        dot_signed(right[channel], filter.weights[k][pixel][1], sum);
                }
            }
        }
        const int y = row - radius;
        if (y < top) continue;
        uint32_t results[3];
        for (int word = 0; word < 3; ++word) {
            results[word] = 0;
            for (int k = 0; k < 4; ++k) {
                const int byte = 4 * word + k;
                results[word] |= quotient(sums[4][byte % 3][byte / 3], divisor) << (8 * k);
            }
        }
        store_three(out, 3 * (y * width + x), results);
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
    return quotient(sum, divisor);
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
bool pack(const Filter& filter, ByteFilter& packed) {
    for (int row = 0; row < 5; ++row) {
        for (int pixel = 0; pixel < 4; ++pixel) {
            int (&weights)[2] = packed.weights[row][pixel];
            weights[0] = weights[1] = 0;
            for (int k = 0; k < 5; ++k) {
                const int value = filter.values[5 * row + k], byte = pixel + k;
                if (value < -128 || value > 127) return false;
                weights[byte / 4] |= (value & 0xff) << (8 * (byte % 4));
            }
        }
    }
    return true;
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    Filter filter;
    for (int k = 0; k < 25; ++k) filter.values[k] = filter25[k];
    ByteFilter bytes;
    // A filter that does not fit is done like the border: one byte per thread.
    const Inner inner = pack(filter, bytes) ? inner_of(width, height) : Inner{0, 0};
    const int border = 3 * (width * height - inner.columns() * inner.rows);
    border_kernel<<<ceil_div(border, 256), 256>>>(rgb, out, filter, divisor, inner, width, height);
    if (inner.groups == 0) return;
    const int blocks = ceil_div(inner.groups, block_size) * ceil_div(inner.rows, rows_per_thread);
    filter_bytes_kernel<<<blocks, block_size>>>(rgb, out, bytes, divisor, inner, width);
}
