// Rung 11: dot products of four bytes.
//
// Before:   every byte is taken out of its word before it is added or multiplied.
// Change:   `dp4a` multiplies four bytes of one word with four bytes of another and adds up the
//           products. The words of the image go in unchanged; the weights are moved instead. The
//           compiler knows the weights of the means. The host prepares those of the filter, if all
//           25 fit a signed byte; any other filter takes a plain kernel. The three channels are
//           parted first, so that four neighbours of one channel share a word.
// Expected: ten instructions per result of a mean and ten per byte of the filter, in place of
//           unpacking, products and sums; and they run on another pipe of the multiprocessor than
//           the byte permutations around them. The filter gains most. Before compute capability 6.1
//           the products are made one by one.
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

// The sum of the four products of the unsigned bytes of `bytes` and the bytes of `weights`, plus
// `sum`.
__device__ uint32_t dot(uint32_t bytes, uint32_t weights, uint32_t sum) {
#if __CUDA_ARCH__ >= 610
    return __dp4a(bytes, weights, sum);
#else
    for (int shift = 0; shift < 32; shift += 8)
        sum += (bytes >> shift & 0xff) * (weights >> shift & 0xff);
    return sum;
#endif
}

// The same with signed weights. There is no function for one unsigned and one signed operand.
__device__ int dot_signed(uint32_t bytes, int weights, int sum) {
#if __CUDA_ARCH__ >= 610
    asm("dp4a.u32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(bytes), "r"(weights));
#else
    for (int shift = 0; shift < 32; shift += 8)
        sum += int(bytes >> shift & 0xff) * int8_t(weights >> shift);
#endif
    return sum;
}

// The weights of eight bytes in a row `dy` from the result, for pixel number `pixel` of four: its
// five neighbours begin at byte `pixel`. Word 0 has the first four bytes, word 1 the others.
template <bool triangular>
__device__ constexpr uint32_t weights_of(int dy, int pixel, int word) {
    uint32_t weights = 0;
    for (int k = 0; k < 4; ++k) {
        const int dx = 4 * word + k - pixel - radius;
        if (dx < -radius || dx > radius) continue;
        const int weight = weight_at<triangular>(dy) * weight_at<triangular>(dx);
        weights |= uint32_t(weight) << (8 * k);
    }
    return weights;
}

// ANCHOR: four_means
// Four neighbouring pixels of one row, none of them at a border; `first` is the first one's index.
template <bool triangular>
__device__ uint32_t four_means(const uint8_t* gray, int first, int width) {
    constexpr uint32_t total = triangular ? 81 : 25;
    uint32_t sums[4] = {total / 2, total / 2, total / 2, total / 2};
#pragma unroll
    for (int dy = -radius; dy <= radius; ++dy) {
        uint32_t row[2];
        load_words(gray, first + dy * width - radius, row);
#pragma unroll
        for (int pixel = 0; pixel < 4; ++pixel) {
            sums[pixel] = dot(row[0], weights_of<triangular>(dy, pixel, 0), sums[pixel]);
            sums[pixel] = dot(row[1], weights_of<triangular>(dy, pixel, 1), sums[pixel]);
        }
    }
    return sums[0] / total | sums[1] / total << 8 | sums[2] / total << 16 | sums[3] / total << 24;
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

// The three words of four inner pixels; `first` is the first one's index.
__device__ void filter_four(const uint8_t* rgb, uint32_t* out, int first, const ByteFilter& filter,
                            int divisor, int width) {
    int sums[3][4] = {};
#pragma unroll
    for (int row = 0; row < 5; ++row) {
        uint32_t words[6], left[3], right[3];
        load_words(rgb, 3 * (first + (row - radius) * width - radius), words);
        part(words, left);
        part(words + 3, right);
#pragma unroll
        for (int pixel = 0; pixel < 4; ++pixel) {
            const int (&weights)[2] = filter.weights[row][pixel];
#pragma unroll
            for (int channel = 0; channel < 3; ++channel) {
                int& sum = sums[channel][pixel];
                sum = dot_signed(left[channel], weights[0], sum);
                sum = dot_signed(right[channel], weights[1], sum);
            }
        }
    }
#pragma unroll
    for (int word = 0; word < 3; ++word) {
        uint32_t bytes = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int byte = 4 * word + k;
            bytes |= quotient(sums[byte % 3][byte / 3], divisor) << (8 * k);
        }
        out[word] = bytes;
    }
}

// Four pixels per thread.
__global__ void filter_bytes_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                                    ByteFilter bytes, Filter filter, int divisor, int width,
                                    int height) {
    const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x), pixels = width * height;
    if (first >= pixels) return;
    if (is_inner(first, 3, width, height)) {
        filter_four(rgb, reinterpret_cast<uint32_t*>(out) + first / 4 * 3, first, bytes, divisor,
                    width);
        return;
    }
    for (int i = 3 * first; i < min(3 * first + 12, 3 * pixels); ++i)
        out[i] = filtered(rgb, i, filter, divisor, width, height);
}

// Any filter: one byte per thread.
__global__ void filter_any_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                                  Filter filter, int divisor, int width, int height) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 3 * width * height) out[i] = filtered(rgb, i, filter, divisor, width, height);
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
    ByteFilter bytes;
    if (pack(filter, bytes)) {
        filter_bytes_kernel<<<blocks_for(width, height), block_size>>>(rgb, out, bytes, filter,
                                                                       divisor, width, height);
    } else {
        const int blocks = ceil_div(3 * width * height, block_size);
        filter_any_kernel<<<blocks, block_size>>>(rgb, out, filter, divisor, width, height);
    }
}
