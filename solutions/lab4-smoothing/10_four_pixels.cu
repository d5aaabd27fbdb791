// Rung 10: four pixels per thread, two sums per register.
//
// Before:   loads and stores of one byte, and a whole register for every sum, although the weighted
//           sum of 25 bytes, at most 81 * 255, needs no more than 15 bits.
// Change:   a thread does the four bytes of one aligned word of the result. Of each of the five
//           rows it loads the eight bytes around them as words, shifted together where a row begins
//           between two words. It adds them up as pairs: two 16-bit sums in a 32-bit register take
//           one addition. Words at a border or across the end of a row are done pixel by pixel. The
//           filter does four pixels of three bytes in the same way; its sums do not fit 16 bits.
// Expected: a quarter of the loads, stores and index computations, half of the additions: a clear
//           gain. The window does not slide: each row is loaded and unpacked five times again.
#include "workbook.cuh"

constexpr int block_size = 128;
constexpr int radius = 2;

struct Filter {
    int values[25];
};

template <bool triangular>
__device__ constexpr int weight_at(int distance) {
    return !triangular ? 1 : distance < 0 ? radius + 1 + distance : radius + 1 - distance;
}

// One pixel anywhere, with all checks.
template <bool triangular>
__device__ uint32_t mean_at(const uint8_t* gray, int x, int y, int width, int height) {
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

// Bytes 0 and 2, or 1 and 3, of a word as a pair of 16-bit numbers.
__device__ uint32_t even_bytes(uint32_t word) { return word & 0x00ff00ff; }
__device__ uint32_t odd_bytes(uint32_t word) { return word >> 8 & 0x00ff00ff; }

// The high half of one pair and the low half of the next.
__device__ uint32_t between(uint32_t a, uint32_t b) { return __byte_perm(a, b, 0x5432); }

template <bool triangular>
__device__ uint32_t sum_of_five(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e) {
    return triangular ? a + e + 2 * (b + d) + 3 * c : a + b + c + d + e;
}

// Both sums of a pair divided by the weights of 25 neighbours, rounded.
template <bool triangular>
__device__ uint32_t divided(uint32_t pair) {
    constexpr uint32_t total = triangular ? 81 : 25;
    return ((pair & 0xffff) + total / 2) / total | ((pair >> 16) + total / 2) / total << 16;
}

// ANCHOR: four_means
// Four neighbouring pixels of one row, none of them at a border; `first` is the first one's index.
template <bool triangular>
__device__ uint32_t four_means(const uint8_t* gray, int first, int width) {
    uint32_t even[2] = {0, 0}, odd[2] = {0, 0};  // sums of columns 0 2, 4 6 and 1 3, 5 7
#pragma unroll
    for (int dy = -radius; dy <= radius; ++dy) {
        uint32_t row[2];
        load_words(gray, first + dy * width - radius, row);
        for (int k = 0; k < 2; ++k) {
            even[k] += weight_at<triangular>(dy) * even_bytes(row[k]);
            odd[k] += weight_at<triangular>(dy) * odd_bytes(row[k]);
        }
    }
    const uint32_t columns_2_4 = between(even[0], even[1]), columns_3_5 = between(odd[0], odd[1]);
    const uint32_t pixels_0_2 =
        sum_of_five<triangular>(even[0], odd[0], columns_2_4, columns_3_5, even[1]);
    const uint32_t pixels_1_3 =
        sum_of_five<triangular>(odd[0], columns_2_4, columns_3_5, even[1], odd[1]);
    return divided<triangular>(pixels_0_2) | divided<triangular>(pixels_1_3) << 8;
}
// ANCHOR_END: four_means

// Whether the four pixels from this one on are in one row and away from the borders, and the word
// after the last byte they need is in the image too.
__device__ bool is_inner(int first, int bytes_per_pixel, int width, int height) {
    const int x = first % width, y = first / width;
    const int end = first + radius * width + 4 + radius;
    return x >= radius && x + 4 <= width - radius && y >= radius && y < height - radius &&
           bytes_per_pixel * end + 4 <= bytes_per_pixel * width * height;
}

// ANCHOR: kernel
template <bool triangular>
__global__ void smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                              int width, int height) {
    const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x), pixels = width * height;
    if (first >= pixels) return;
    if (is_inner(first, 1, width, height)) {
        reinterpret_cast<uint32_t*>(out)[first / 4] = four_means<triangular>(gray, first, width);
        return;
    }
    for (int i = first; i < min(first + 4, pixels); ++i)
        out[i] = mean_at<triangular>(gray, i % width, i / width, width, height);
}
// ANCHOR_END: kernel

__device__ uint32_t quotient(int sum, int divisor) { return min(max(sum / divisor, 0), 255); }

// One byte of one pixel anywhere.
__device__ uint8_t filtered(const uint8_t* rgb, int byte, const Filter& filter, int divisor,
                            int width, int height) {
    const int x = byte / 3 % width, y = byte / 3 / width;
    if (x < radius || y < radius || x >= width - radius || y >= height - radius) return rgb[byte];
    int sum = 0;
#pragma unroll
    for (int k = 0; k < 25; ++k)
        sum += filter.values[k] * rgb[byte + 3 * ((k / 5 - radius) * width + k % 5 - radius)];
    return quotient(sum, divisor);
}

// The three words of four inner pixels; `first` is the first one's index.
__device__ void filter_four(const uint8_t* rgb, uint32_t* out, int first, const Filter& filter,
                            int divisor, int width) {
    int sums[12] = {};
#pragma unroll
    for (int dy = -radius; dy <= radius; ++dy) {
        uint32_t row[6];
        load_words(rgb, 3 * (first + dy * width - radius), row);
#pragma unroll
        for (int i = 0; i < 24; ++i) {
            const int byte = row[i / 4] >> (8 * (i % 4)) & 0xff;
#pragma unroll
            for (int dx = 0; dx < 5; ++dx) {
                const int result = i - 3 * dx;
                if (result >= 0 && result < 12)
                    sums[result] += filter.values[5 * (dy + radius) + dx] * byte;
            }
        }
    }
#pragma unroll
    for (int word = 0; word < 3; ++word) {
        uint32_t bytes = 0;
        for (int k = 0; k < 4; ++k) bytes |= quotient(sums[4 * word + k], divisor) << (8 * k);
        out[word] = bytes;
    }
}

// A struct of 25 ints passed by value lies in constant memory, as a `__constant__` array does, and
// needs no copy of its own.
__global__ void filter_rgb_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                                  Filter filter, int divisor, int width, int height) {
    const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x), pixels = width * height;
    if (first >= pixels) return;
    if (is_inner(first, 3, width, height)) {
        filter_four(rgb, reinterpret_cast<uint32_t*>(out) + first / 4 * 3, first, filter, divisor,
                    width);
        return;
    }
    for (int i = 3 * first; i < min(3 * first + 12, 3 * pixels); ++i)
        out[i] = filtered(rgb, i, filter, divisor, width, height);
}

int blocks_for(int width, int height) { return ceil_div(ceil_div(width * height, 4), block_size); }

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth_kernel<false><<<blocks_for(width, height), block_size>>>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth_kernel<true><<<blocks_for(width, height), block_size>>>(gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    Filter filter;
    for (int k = 0; k < 25; ++k) filter.values[k] = filter25[k];
    filter_rgb_kernel<<<blocks_for(width, height), block_size>>>(rgb, out, filter, divisor, width,
                                                                 height);
}
