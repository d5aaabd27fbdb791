// Rung 12: slide four columns down.
//
// tasks: smooth_box, smooth_triangular
//
// Before:   every row of pixels is loaded, shifted and multiplied for each of the five rows of
//           results that need it.
// Change:   the sliding window of rung 9 with the dot products of rung 11. A thread has four
//           neighbouring columns and goes down them. It sums every row once and keeps the sums of
//           the last five rows in registers. A second kernel does the columns at the two sides of
//           the image, one pixel per thread.
// Expected: a fifth of the loads and of the dot products: a clear gain. The results of a thread
//           make a whole word only where the row begins at a word. In other rows a thread stores
//           four bytes.
#include "workbook.cuh"

constexpr int block_size = 128;  // tune: 32 64 128 256
constexpr int rows_per_thread = 32;  // tune: 16 32 64
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

__device__ void store_four(uint8_t* out, int first, const uint32_t (&values)[4]) {
    if (first % 4 == 0) {  // the same for all threads of a warp
        reinterpret_cast<uint32_t*>(out)[first / 4] =
            values[0] | values[1] << 8 | values[2] << 16 | values[3] << 24;
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
    constexpr uint32_t row_total = triangular ? 9 : 5;
    uint32_t sums[5][4] = {};  // of the last five rows, the newest last, for four pixels
#pragma unroll 5
    for (int row = top - radius; row < bottom + radius; ++row) {
        for (int k = 0; k < 4; ++k)
            for (int pixel = 0; pixel < 4; ++pixel) sums[k][pixel] = sums[k + 1][pixel];
        uint32_t words[2] = {0, 0};  // rows outside the image add nothing
        if (row >= 0 && row < height) load_words(gray, row * width + x - radius, words);
        for (int pixel = 0; pixel < 4; ++pixel) {
            const uint32_t sum = dot(words[0], weights_of<triangular>(pixel, 0), 0);
            sums[4][pixel] = dot(words[1], weights_of<triangular>(pixel, 1), sum);
        }
        const int y = row - radius;
        if (y < top) continue;
        const bool inner = y >= radius && y < height - radius;
        uint32_t means[4];
        for (int pixel = 0; pixel < 4; ++pixel) {
            uint32_t sum = 0;
            for (int k = 0; k < 5; ++k) sum += weight_at<triangular>(k - radius) * sums[k][pixel];
            // The compiler divides by a constant with a multiplication.
            constexpr uint32_t total = row_total * row_total;
            const uint32_t edge = row_total * weights_along<triangular>(y, height);
            means[pixel] = inner ? (sum + total / 2) / total : (sum + edge / 2) / edge;
        }
        store_four(out, y * width + x, means);
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
