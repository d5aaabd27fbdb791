// Rung 9: slide a window down in registers.
//
// Before:   three trips through shared memory with barriers between them, and every row of five
//           pixels is summed for each of the five rows of results that need it.
// Change:   no shared memory. A thread goes down a column of results and keeps in registers what
//           the next pixel needs again: the sums of the last five rows. Each step loads five
//           neighbouring bytes. The threads beside it load them as well, so they come from the
//           cache. A thread of the filter keeps five unfinished results instead: a row adds to all
//           of them, and finishes one.
// Expected: five loads per pixel and no barrier, a clear gain. A thread now lives long: an image
//           needs enough columns and bands of rows to fill the GPU, so small images gain less.
#include "workbook.cuh"

constexpr int block_size = 128;  // tune: 64 128 256 512
constexpr int rows_per_thread = 32;  // tune: 8 16 32 64
constexpr int radius = 2;

__constant__ int filter[25];

template <bool triangular>
__device__ constexpr int weight_at(int distance) {
    return !triangular ? 1 : distance < 0 ? radius + 1 + distance : radius + 1 - distance;
}

// This thread's column of results, of `across` in a row, and its rows; blocks are numbered row by
// row.
struct Band {
    int x, top, bottom;
};

__device__ Band band_of_thread(int across, int height) {
    const int blocks = ceil_div(across, block_size);
    const int top = rows_per_thread * (blockIdx.x / blocks);
    const int x = block_size * (blockIdx.x % blocks) + threadIdx.x;
    return {x, top, min(top + rows_per_thread, height)};
}

// The weights of the neighbours that exist along a side of this length, added up.
template <bool triangular>
__device__ int weights_along(int position, int side) {
    int total = 0;
    for (int d = -radius; d <= radius; ++d)
        if (position + d >= 0 && position + d < side) total += weight_at<triangular>(d);
    return total;
}

// ANCHOR: kernel
template <bool triangular>
__global__ void smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                              int width, int height) {
    const Band band = band_of_thread(width, height);
    if (band.x >= width) return;
    // Neighbours outside the image weigh nothing; one inside is loaded in their place.
    int columns[5], weights[5], total = 0;
    for (int k = 0; k < 5; ++k) {
        const int column = band.x + k - radius;
        const bool exists = column >= 0 && column < width;
        columns[k] = exists ? column : band.x;
        weights[k] = exists ? weight_at<triangular>(k - radius) : 0;
        total += weights[k];
    }
    int rows[5] = {0, 0, 0, 0, 0};  // the sums of the last five rows, the newest last
#pragma unroll 5
    for (int row = band.top - radius; row < band.bottom + radius; ++row) {
        for (int k = 0; k < 4; ++k) rows[k] = rows[k + 1];
        rows[4] = 0;
        if (row >= 0 && row < height)
            for (int k = 0; k < 5; ++k) rows[4] += weights[k] * gray[row * width + columns[k]];
        const int y = row - radius;
        if (y < band.top) continue;
        int sum = 0;
        for (int k = 0; k < 5; ++k) sum += weight_at<triangular>(k - radius) * rows[k];
        const int all = total * weights_along<triangular>(y, height);
        out[y * width + band.x] = (sum + all / 2) / all;
    }
}
// ANCHOR_END: kernel

__global__ void filter_rgb_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                                  int divisor, int width, int height) {
    const int row_bytes = 3 * width;
    const Band band = band_of_thread(row_bytes, height);  // a thread for every byte of a row
    if (band.x >= row_bytes) return;
    const bool edge = band.x < 3 * radius || band.x >= row_bytes - 3 * radius;
    // Unfinished results: sums[k] lacks the rows that filter rows k + 1 to 4 belong to.
    int sums[5] = {0, 0, 0, 0, 0};
#pragma unroll 5
    for (int row = band.top - radius; row < band.bottom + radius; ++row) {
        for (int k = 4; k > 0; --k) sums[k] = sums[k - 1];
        sums[0] = 0;
        const uint8_t* centre = rgb + row * row_bytes + band.x;
        if (!edge && row >= 0 && row < height) {
            for (int dx = -radius; dx <= radius; ++dx) {
                const int byte = centre[3 * dx];
                for (int k = 0; k < 5; ++k) sums[k] += filter[5 * k + dx + radius] * byte;
            }
        }
        const int y = row - radius;
        if (y < band.top) continue;
        const int i = y * row_bytes + band.x;
        const bool border = edge || y < radius || y >= height - radius;
        out[i] = border ? rgb[i] : min(max(sums[4] / divisor, 0), 255);
    }
}

int blocks_for(int across, int height) {
    return ceil_div(across, block_size) * ceil_div(height, rows_per_thread);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth_kernel<false><<<blocks_for(width, height), block_size>>>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth_kernel<true><<<blocks_for(width, height), block_size>>>(gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    WORKBOOK_CHECK(cudaMemcpyToSymbol(filter, filter25, 25 * sizeof(int)));
    const int blocks = blocks_for(3 * width, height);
    filter_rgb_kernel<<<blocks, block_size>>>(rgb, out, divisor, width, height);
}
