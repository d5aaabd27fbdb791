// Rung 19: fetch the filter's rows ahead.
//
// tasks: filter_rgb
// level: expert
//
// Before:   the next row of the strip is held in registers, which the sums need; every lane makes
//           its words from unaligned rows by shifts and shuffles; and the conversion of a sum to a
//           float takes two steps.
// Change:   `cp.async` copies five rows ahead to shared memory, in vectors of 16 bytes. A block is
//           one warp: its lanes wait for each other only. Rows that begin at a multiple of 16 bytes
//           need no shifts. Each lane does some bytes of the border while the first rows arrive. A
//           scale with fewer bits lets one fused multiply-add both convert and divide a sum.
// Expected: the products are nearly all that is left: the multiplier is the limit.
#include "workbook.cuh"

constexpr int radius = 2;
constexpr uint32_t all_lanes = 0xffffffff;

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

struct Filter {
    int values[25];
};

// The filter in signed bytes: the first four values of each row, those of the last column's first
// four rows, and the last value alone, in each of the four bytes.
struct ByteFilter {
    int rows[5], column, last[4];
    float scale;  // 1 / (256 divisor), and a little more
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

// Bits of the float 2^23 + 2^21: a sum of bytes times signed bytes, less than 2^20 either way,
// added to them gives the float 2^23 + 2^21 + sum.
constexpr uint32_t sum_base = 0x4b200000;
constexpr float base_value = 0x1p23f + 0x1p21f;

// The quotient, cut off and clamped, in the lowest byte, if `scale` is from `scale_for`. The
// product of base and scale is exact, so that only sum * scale is rounded, clamped to 0..1
// at no cost. Times nearly 256 it is between the quotient and the quotient and 1.3e-6 of it.
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

// A warp goes down a strip of 116 columns. A lane has four pixels, and eight with the next lane's.
constexpr int full_lanes = 29;
constexpr int strip_columns = 4 * full_lanes;
constexpr int turn_rows = 5, turns = 2;

// The 26 vectors of 16 bytes that hold the 384 of a row's 128 pixels, wherever they begin.
using Turn = uint4[turn_rows][26];

// ANCHOR: kernel
template <bool aligned>
__global__ void __launch_bounds__(32, 16)
    filter_bytes_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out, int width,
                        int height, int rows, ByteFilter filter, Filter values, int divisor,
                        int border) {
    __shared__ Turn fetched[turns];
    __shared__ uint32_t staged[96];
    const int lane = threadIdx.x, row_bytes = 3 * width;
    const int left =
        strip_columns * blockIdx.x;  // of what is loaded; results begin two pixels later
    const int top = radius + blockIdx.y * rows, bottom = min(top + rows, height - radius);
    const int begin = top - radius, end = bottom + radius;
    const auto copy_turn = [&](Turn& turn, int first) {
        const int turn_end = (first + turn_rows - 1) * row_bytes + 3 * left + 26 * 16;
        if (first < end && lane < 26 && turn_end <= height * row_bytes) {
            for (int k = 0; k < turn_rows; ++k) {
                const int offset = ((first + k) * row_bytes + 3 * left & ~15) + 16 * lane;
                copy_ahead(&turn[k][lane], rgb + unsigned(offset), 16);
            }
        } else if (first < end && lane < 26) {
            // Only in the last rows of the image can a vector lie past its end.
#pragma unroll 1
            for (int k = 0; k < turn_rows; ++k) {
                const int row = min(first + k, height - 1);
                const int offset = (row * row_bytes + 3 * left & ~15) + 16 * lane;
                const int exist = min(max(height * row_bytes - offset, 0), 16);
                copy_ahead(&turn[k][lane], rgb + (exist == 0 ? 0u : unsigned(offset)), exist);
            }
        }
        end_of_turn();
    };
    for (int ahead = 0; ahead < turns - 1; ++ahead)
        copy_turn(fetched[ahead], begin + ahead * turn_rows);
    // While the first rows are in flight, each lane does some bytes of the border.
    const int threads = 32 * gridDim.x * gridDim.y;
    for (int i = 32 * (blockIdx.y * gridDim.x + blockIdx.x) + lane; i < border; i += threads)
        border_byte(rgb, out, values, divisor, width, height, i);
    // What this lane stores of a row: words `lane`, `lane` + 32 and `lane` + 64 of the warp's 87.
    const int target = 3 * (left + radius) + 4 * lane;
    const int room = row_bytes - 3 * radius - target - 4;
    Results results = {};
    int now = 0, free = turns - 1;
    for (int first = begin; first < end; first += turn_rows) {
        wait_for_turn<turns>();
        __syncwarp();  // the turn is there, and all lanes have read what is overwritten now
        copy_turn(fetched[free], first + (turns - 1) * turn_rows);
#pragma unroll
        for (int turn = 0; turn < turn_rows; ++turn) {
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
            if (stored && left_over >= 256 && lane < 3 * full_lanes - 64)
                whole[64] = staged[lane + 64];
            __syncwarp();  // all have read: the next row may overwrite
        }
        free = now;
        now = now + 1 == turns ? 0 : now + 1;
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

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    Filter filter;
    for (int k = 0; k < 25; ++k) filter.values[k] = filter25[k];
    ByteFilter bytes;
    if (width >= 16 && height > 2 * radius && pack(filter, divisor, bytes)) {
        const auto kernel =
            3 * width % 16 == 0 ? filter_bytes_kernel<true> : filter_bytes_kernel<false>;
        const int across = ceil_div(width - 2 * radius, strip_columns);
        const int rows = rows_per_warp(kernel, 32, across, height - 2 * radius, turn_rows, 3);
        const dim3 grid(across, ceil_div(height - 2 * radius, rows));
        const int border = 3 * (2 * radius * width) + (height - 2 * radius) * 6 * (radius + 1);
        kernel<<<grid, 32>>>(rgb, out, width, height, rows, bytes, filter, divisor, border);
    } else {
        const int blocks = ceil_div(3 * width * height, 256);
        filter_any_kernel<<<blocks, 256>>>(rgb, out, filter, divisor, width, height);
    }
}
