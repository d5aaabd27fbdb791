// expect: mismatch sobel
// fault: the columns that do not fill a group of four are never computed on the right.
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

__device__ int byte_of(const uint32_t (&words)[2], int k) {
    return words[k / 4] >> (8 * (k % 4)) & 0xff;
}

__device__ void store_four(uint8_t* out, int first, const uint32_t (&values)[4]) {
    if (first % 4 == 0) {  // the same for all threads of a warp
        reinterpret_cast<uint32_t*>(out)[first / 4] =
            values[0] | values[1] << 8 | values[2] << 16 | values[3] << 24;
    } else {
        for (int k = 0; k < 4; ++k) out[first + k] = values[k];
    }
}

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
            const int left = byte_of(words, pixel), right = byte_of(words, pixel + 2);
            difference[2][pixel] = right - left;
            sum[2][pixel] = left + 2 * byte_of(words, pixel + 1) + right;
        }
        const int y = row - 1;
        if (y < top) continue;
        uint32_t edges[4];
        for (int pixel = 0; pixel < 4; ++pixel) {
            const int gx = difference[0][pixel] + 2 * difference[1][pixel] + difference[2][pixel];
            const int gy = sum[2][pixel] - sum[0][pixel];
            edges[pixel] = min(abs(gx) + abs(gy), 255);
        }
        store_four(out, y * width + x, edges);
    }
}

// The columns at the sides, with all checks: one pixel per thread.
__global__ void sides_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out, int width,
                             int height) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 4 * height) return;
    const int x = i % 4, y = i / 4;
    if (x >= width) return;
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
    const int sides = 4 * height;
    sides_kernel<<<ceil_div(sides, block_size), block_size>>>(gray, out, width, height);
    if (groups == 0) return;
    const int blocks = ceil_div(groups, block_size) * ceil_div(height, rows_per_thread);
    sobel_kernel<<<blocks, block_size>>>(gray, out, width, height);
}
