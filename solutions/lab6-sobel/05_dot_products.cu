// Rung 5: dot products of bytes.
//
// Before:   every byte is cut out of its word, and the differences and sums take six additions per
//           pixel and row.
// Change:   `__dp4a` multiplies four bytes of a word with four weights and adds the products: one
//           instruction for the difference, one for the sum. Its bytes are signed, so each pixel is
//           lowered by 128 first (`^ 128`). The weights of gx, and those of gy, add up to 0, so the
//           128 cancels. `__sad` adds an absolute value.
// Expected: fewer instructions per pixel: a gain, until the stores of single bytes limit it.
#include "workbook.cuh"

constexpr int block_size = 128;      // tune: 32 64 128 256
constexpr int rows_per_thread = 32;  // tune: 16 32 64

// The groups of four columns from column 4 on. All bytes that they load are in their row.
__host__ __device__ int inner_groups(int width) { return max((width - 11) / 4, 0); }

// Eight bytes from any offset of a buffer that itself begins at a word. Touches the word after
// them.
__device__ void load_eight(const uint8_t* buffer, int offset, uint32_t (&words)[2]) {
    const uint32_t* source = reinterpret_cast<const uint32_t*>(buffer) + offset / 4;
    const int shift = 8 * (offset % 4);
    words[0] = __funnelshift_r(source[0], source[1], shift);
    words[1] = __funnelshift_r(source[1], source[2], shift);
}

// The sum of the four products of the signed bytes of `bytes` and `weights`.
__device__ int dot(uint32_t bytes, uint32_t weights) {
#if __CUDA_ARCH__ >= 610
    return __dp4a(int(bytes), int(weights), 0);
#else
    int sum = 0;
    for (int shift = 0; shift < 32; shift += 8)
        sum += int8_t(bytes >> shift) * int8_t(weights >> shift);
    return sum;
#endif
}

constexpr uint32_t right_minus_left = 0x000100ff;  // bytes -1, 0, 1, 0, the lowest first
constexpr uint32_t one_two_one = 0x00010201;       // bytes 1, 2, 1, 0

__device__ void store_four(uint8_t* out, int first, const uint32_t (&values)[4]) {
    if (first % 4 == 0) {  // the same for all threads of a warp
        reinterpret_cast<uint32_t*>(out)[first / 4] =
            values[0] | values[1] << 8 | values[2] << 16 | values[3] << 24;
    } else {
        for (int k = 0; k < 4; ++k) out[first + k] = values[k];
    }
}

// ANCHOR: kernel
__global__ void sobel_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int width,
                             int height) {
    const int groups = inner_groups(width), blocks = ceil_div(groups, block_size);
    const int group = block_size * (blockIdx.x % blocks) + threadIdx.x;
    if (group >= groups) return;
    const int x = 4 + 4 * group;
    const int top = rows_per_thread * (blockIdx.x / blocks);
    const int bottom = min(top + rows_per_thread, height);
    int difference[3][4] = {}, sum[3][4] = {};  // of the last three rows, for four pixels
#pragma unroll 3
    for (int row = top - 1; row <= bottom; ++row) {
        uint32_t words[2];
        load_eight(gray, min(max(row, 0), height - 1) * width + x - 1, words);
        for (int pixel = 0; pixel < 4; ++pixel) {
            for (int k = 0; k < 2; ++k) {
                difference[k][pixel] = difference[k + 1][pixel];
                sum[k][pixel] = sum[k + 1][pixel];
            }
            const uint32_t bytes = __funnelshift_r(words[0], words[1], 8 * pixel) ^ 0x80808080;
            difference[2][pixel] = dot(bytes, right_minus_left);
            sum[2][pixel] = dot(bytes, one_two_one);
        }
        const int y = row - 1;
        if (y < top) continue;
        uint32_t edges[4];
        for (int pixel = 0; pixel < 4; ++pixel) {
            const int gx = difference[0][pixel] + 2 * difference[1][pixel] + difference[2][pixel];
            const int gy = sum[2][pixel] - sum[0][pixel];
            edges[pixel] = min(__sad(gx, 0, __sad(gy, 0, 0)), 255u);
        }
        store_four(out, y * width + x, edges);
    }
}
// ANCHOR_END: kernel

// The columns at the sides, with all checks: one pixel per thread.
__global__ void sides_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int width,
                             int height) {
    const int inner = 4 * inner_groups(width), columns = width - inner;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= columns * height) return;
    const int column = i % columns, y = i / columns;
    const int x = column < 4 ? column : column + inner;
    const int left = max(x - 1, 0), right = min(x + 1, width - 1);
    const uint8_t* own = gray + y * width;
    const uint8_t* above = y > 0 ? own - width : own;
    const uint8_t* below = y + 1 < height ? own + width : own;
    const int gx =
        above[right] + 2 * own[right] + below[right] - above[left] - 2 * own[left] - below[left];
    const int gy =
        below[left] + 2 * below[x] + below[right] - above[left] - 2 * above[x] - above[right];
    out[y * width + x] = min(abs(gx) + abs(gy), 255);
}

void sobel(const uint8_t* gray, uint8_t* out, int width, int height) {
    const int groups = inner_groups(width);
    const int sides = (width - 4 * groups) * height;
    sides_kernel<<<ceil_div(sides, block_size), block_size>>>(gray, out, width, height);
    if (groups == 0) return;
    const int blocks = ceil_div(groups, block_size) * ceil_div(height, rows_per_thread);
    sobel_kernel<<<blocks, block_size>>>(gray, out, width, height);
}
