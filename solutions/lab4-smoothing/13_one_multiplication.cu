// Rung 13: divide with one multiplication.
//
// tasks: smooth_box, smooth_triangular
//
// Before:   most instructions of a pixel are for the sum of five rows and for the quotient. The
//           compiler divides by a constant with a multiplication, shifts and additions.
// Change:   two ways to compute less. The sum of five rows changes by the newest row and the one
//           that leaves the window (the triangle is made of three sums of three). And the sum is
//           kept as the bits of a float, so that one fused multiply-add leaves the rounded quotient
//           in the lowest byte.
// Expected: about half of the arithmetic of a pixel. The loads and stores stay.
#include "workbook.cuh"

constexpr int block_size = 128;  // tune: 32 64 128 256
constexpr int rows_per_thread = 26;  // with the four rows around them, whole turns of six rows
constexpr int radius = 2;

template <bool triangular>
__device__ constexpr int weight_at(int distance) {
    return !triangular ? 1 : distance < 0 ? radius + 1 + distance : radius + 1 - distance;
}

// The inner columns are columns 4 to 4 * groups + 3. All bytes that they need are in the row, and
// so is the word after these bytes.
__host__ __device__ int inner_groups(int width) { return max((width - 10) / 4, 0); }

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

// The weights of eight bytes in a row for pixel number `pixel` of four: its five neighbours begin
// at byte `pixel`. Word 0 has the first four bytes, word 1 the others.
template <bool triangular>
__device__ constexpr uint32_t weights_of(int pixel, int word) {
    uint32_t weights = 0;
    for (int k = 0; k < 4; ++k) {
        const int dx = 4 * word + k - pixel - radius;
        if (dx < -radius || dx > radius) continue;
        weights |= uint32_t(weight_at<triangular>(dx)) << (8 * k);
    }
    return weights;
}

// The weights of the five rows around row y that are in the image, added up.
template <bool triangular>
__device__ int weights_along(int y, int height) {
    int total = 0;
    for (int d = -radius; d <= radius; ++d)
        if (y + d >= 0 && y + d < height) total += weight_at<triangular>(d);
    return total;
}

// ANCHOR: division
// How to divide by `total` with one multiplication. A sum s plus `base` has the bits of the float
// 2^23 + bias + s. Multiplied by 1 / total, plus `offset`, that is 2^23 + s / total up to 0.0075
// for 25 and 0.003 for 81. A float above 2^23 has no fraction, so it is rounded to the nearest
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
// ANCHOR_END: division

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

// The lowest bytes of four words, side by side.
__device__ uint32_t pack_low_bytes(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
}

// Stores the lowest bytes of four values.
__device__ void store_four(uint8_t* out, int first, const uint32_t (&values)[4]) {
    if (first % 4 == 0) {  // the same for all threads of a warp
        reinterpret_cast<uint32_t*>(out)[first / 4] =
            pack_low_bytes(values[0], values[1], values[2], values[3]);
    } else {
        for (int k = 0; k < 4; ++k) out[first + k] = values[k];
    }
}

// ANCHOR: kernel
template <bool triangular>
__global__ void smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                              int width, int height) {
    const int groups = inner_groups(width), blocks = ceil_div(groups, block_size);
    const int group = block_size * (blockIdx.x % blocks) + threadIdx.x;
    if (group >= groups) return;
    const int x = 4 + 4 * group;
    const int top = rows_per_thread * (blockIdx.x / blocks);
    const int bottom = min(top + rows_per_thread, height);
    using D = Division<triangular>;
    Window<triangular> windows[4];
    for (int first = top - radius; first < bottom + radius; first += turns) {
#pragma unroll
        for (int turn = 0; turn < turns; ++turn) {
            const int row = first + turn, y = row - radius;
            uint32_t words[2] = {0, 0};  // rows outside the image add nothing
            if (row >= 0 && row < height) load_words(gray, row * width + x - radius, words);
            uint32_t means[4];
            for (int pixel = 0; pixel < 4; ++pixel) {
                uint32_t sum = dot(words[0], weights_of<triangular>(pixel, 0), D::row_base);
                sum = dot(words[1], weights_of<triangular>(pixel, 1), sum);
                means[pixel] = windows[pixel].push(sum, turn);
            }
            if (y < top || y >= bottom) continue;
            if (y >= radius && y < height - radius) {
                for (uint32_t& mean : means) mean = quotient_in_low_byte<triangular>(mean);
            } else {
                const uint32_t total =
                    (triangular ? 9 : 5) * weights_along<triangular>(y, height);
                for (uint32_t& mean : means) mean = (mean - D::base + total / 2) / total;
            }
            store_four(out, y * width + x, means);
        }
    }
}
// ANCHOR_END: kernel

// The columns at the sides, with all checks: one pixel per thread.
template <bool triangular>
__global__ void sides_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int width,
                             int height) {
    const int inner = 4 * inner_groups(width), columns = width - inner;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= columns * height) return;
    const int column = i % columns, y = i / columns;
    const int x = column < 4 ? column : column + inner;
    int sum = 0, total = 0;
    for (int v = max(y - radius, 0); v <= min(y + radius, height - 1); ++v) {
        for (int u = max(x - radius, 0); u <= min(x + radius, width - 1); ++u) {
            const int weight = weight_at<triangular>(v - y) * weight_at<triangular>(u - x);
            sum += weight * gray[v * width + u];
            total += weight;
        }
    }
    out[y * width + x] = (sum + total / 2) / total;
}

template <bool triangular>
void smooth(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int groups = inner_groups(width);
    const int sides = (width - 4 * groups) * height;
    sides_kernel<triangular>
        <<<ceil_div(sides, block_size), block_size>>>(gray, out, width, height);
    if (groups == 0) return;
    const int blocks = ceil_div(groups, block_size) * ceil_div(height, rows_per_thread);
    smooth_kernel<triangular><<<blocks, block_size>>>(gray, out, width, height);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth<false>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth<true>(gray, out, width, height);
}
