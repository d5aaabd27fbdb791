// Rung 5: whole rows in shared memory.
//
// tasks: filter_rgb
//
// Before:   all 25 loads of a byte go to global memory, or to the cache in front of it.
// Change:   a block first loads the rows that it needs into shared memory, each byte once, and
//           reads its 25 neighbours there: two rows of results and the two rows above and below
//           them, as in the report on the Quadro K620. The report's kernel has one thread per
//           column, so its rows have 1,024 pixels at most. Here the threads go round in a loop, and
//           rows that do not fit the shared memory of a block are cut into pieces.
// Expected: each byte is loaded three times instead of 25. The copy and the barrier cost something,
//           and a block that fills the shared memory leaves no room for a second one beside it.
#include "workbook.cuh"

constexpr int block_size = 256;
constexpr int radius = 2;
constexpr int rows_per_block = 2;
constexpr int staged_rows = rows_per_block + 2 * radius;
constexpr int shared_bytes = 48 * 1024;  // what every block may have

__constant__ int filter[25];

// A piece of rows_per_block rows, and the bytes around it that are in the image.
struct Piece {
    int first, end;          // columns of the results
    int staged, staged_end;  // columns in shared memory
    int top, bottom;         // rows of the results
    int row, row_end;        // rows in shared memory
};

// The piece of this block: the grid has the rows in x, which has room for any height.
__device__ Piece piece_of_block(int columns, int width, int height) {
    Piece p;
    p.first = blockIdx.y * columns;
    p.end = min(p.first + columns, width);
    p.staged = max(p.first - radius, 0);
    p.staged_end = min(p.end + radius, width);
    p.top = blockIdx.x * rows_per_block;
    p.bottom = min(p.top + rows_per_block, height);
    p.row = max(p.top - radius, 0);
    p.row_end = min(p.bottom + radius, height);
    return p;
}

// Copies the piece of an image; returns the bytes of a staged row.
__device__ int stage(const Piece& p, const uint8_t* image, uint8_t* staged, int width) {
    const int row_bytes = 3 * (p.staged_end - p.staged);
    for (int row = p.row; row < p.row_end; ++row) {
        const uint8_t* source = image + 3 * (row * width + p.staged);
        uint8_t* target = staged + (row - p.row) * row_bytes;
        for (int i = threadIdx.x; i < row_bytes; i += block_size) target[i] = source[i];
    }
    __syncthreads();  // all rows of the piece are in shared memory
    return row_bytes;
}

__device__ bool is_border(int x, int y, int width, int height) {
    return x < radius || y < radius || x >= width - radius || y >= height - radius;
}

// ANCHOR: kernel
__global__ void filter_rgb_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                                  int divisor, int columns, int width, int height) {
    extern __shared__ uint8_t staged[];
    const Piece p = piece_of_block(columns, width, height);
    const int row_bytes = stage(p, rgb, staged, width);
    for (int y = p.top; y < p.bottom; ++y) {
        for (int x = p.first + threadIdx.x; x < p.end; x += block_size) {
            const uint8_t* centre = staged + (y - p.row) * row_bytes + 3 * (x - p.staged);
            uint8_t* result = out + 3 * (y * width + x);
            const bool border = is_border(x, y, width, height);
            for (int channel = 0; channel < 3; ++channel) {
                if (border) {
                    result[channel] = centre[channel];
                    continue;
                }
                int sum = 0;
                for (int k = 0; k < 25; ++k) {
                    const int dx = k % 5 - radius, dy = k / 5 - radius;
                    sum += filter[k] * centre[dy * row_bytes + 3 * dx + channel];
                }
                result[channel] = min(max(sum / divisor, 0), 255);
            }
        }
    }
}
// ANCHOR_END: kernel

// How an image is cut: pieces of equal width, as few as the shared memory allows.
struct Cut {
    int columns;
    dim3 grid;
    int bytes;  // of shared memory
};

Cut cut(int width, int height) {
    const int most = shared_bytes / (staged_rows * 3) - 2 * radius;
    const int columns = ceil_div(width, ceil_div(width, most));
    return {columns, dim3(ceil_div(height, rows_per_block), ceil_div(width, columns)),
            staged_rows * 3 * (columns + 2 * radius)};
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    WORKBOOK_CHECK(cudaMemcpyToSymbol(filter, filter25, 25 * sizeof(int)));
    const Cut c = cut(width, height);
    filter_rgb_kernel<<<c.grid, block_size, c.bytes>>>(rgb, out, divisor, c.columns, width, height);
}
