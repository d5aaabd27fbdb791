// Rung 7: a kernel for the border and one for the interior.
//
// Before:   every load and every pixel is checked against the border of the image, although only a
//           few pixels in a thousand are near it.
// Change:   two kernels, as in the first report. The interior kernel has whole tiles whose halo
//           lies in the image too: it checks nothing. Its weights always add up to the same number,
//           so that the compiler can divide with a multiplication. The border kernel does the other
//           pixels, one per thread, with all checks and without shared memory.
// Expected: a clear gain for most of the image, and a second launch, which matters for small
//           images.
#include "workbook.cuh"

constexpr int tile_width = 32;
constexpr int tile_height = 8;
constexpr int radius = 2;
constexpr int staged_width = tile_width + 2 * radius;
constexpr int staged_height = tile_height + 2 * radius;
constexpr int block_size = tile_width * tile_height;
static_assert(block_size <= 1024, "a block has at most 1,024 threads");

__constant__ int filter[25];

template <bool triangular>
__device__ constexpr int weight_at(int distance) {
    return !triangular ? 1 : distance < 0 ? radius + 1 + distance : radius + 1 - distance;
}

// The rectangle that whole tiles cover; it begins at (radius, radius), and may be empty.
struct Interior {
    int width, height;
    __host__ __device__ int tiles() const { return width / tile_width * (height / tile_height); }
};

__host__ __device__ Interior interior_of(int width, int height) {
    const int across = (width - 2 * radius) / tile_width,
              down = (height - 2 * radius) / tile_height;
    if (across <= 0 || down <= 0) return {0, 0};
    return {across * tile_width, down * tile_height};
}

// The upper left corner of this block's tile; tiles are numbered row by row.
__device__ int2 tile_of_block(Interior interior) {
    const int across = interior.width / tile_width;
    const int tile_x = blockIdx.x % across, tile_y = blockIdx.x / across;
    return make_int2(radius + tile_width * tile_x, radius + tile_height * tile_y);
}

// Copies a tile and its halo, `channels` bytes per pixel; all of it lies in the image.
template <int channels>
__device__ void stage(int2 tile, const uint8_t* image, uint8_t* staged, int width) {
    constexpr int row_bytes = channels * staged_width;
    const uint8_t* corner = image + channels * ((tile.y - radius) * width + tile.x - radius);
    const int thread = threadIdx.y * tile_width + threadIdx.x;
    for (int i = thread; i < staged_height * row_bytes; i += block_size)
        staged[i] = corner[i / row_bytes * channels * width + i % row_bytes];
    __syncthreads();  // tile and halo are in shared memory
}

// ANCHOR: kernel
template <bool triangular>
__global__ void smooth_interior(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                                Interior interior, int width) {
    __shared__ uint8_t staged[staged_height * staged_width];
    const int2 tile = tile_of_block(interior);
    stage<1>(tile, gray, staged, width);
    const uint8_t* corner = staged + threadIdx.y * staged_width + threadIdx.x;
    int sum = 0;
#pragma unroll
    for (int dy = -radius; dy <= radius; ++dy) {
#pragma unroll
        for (int dx = -radius; dx <= radius; ++dx) {
            const int weight = weight_at<triangular>(dx) * weight_at<triangular>(dy);
            sum += weight * corner[(dy + radius) * staged_width + dx + radius];
        }
    }
    constexpr int total = triangular ? 81 : 25;
    out[(tile.y + threadIdx.y) * width + tile.x + threadIdx.x] = (sum + total / 2) / total;
}
// ANCHOR_END: kernel

// Pixel number i outside the interior: first the rows above and below it, then the columns left and
// right of it.
__device__ int2 border_pixel(int i, Interior interior, int width, int height) {
    const int outer_rows = (height - interior.height) * width;
    if (i < outer_rows) {
        const int y = i / width;
        return make_int2(i % width, y < radius ? y : y + interior.height);
    }
    const int outer_columns = width - interior.width;
    const int x = (i - outer_rows) % outer_columns;
    return make_int2(x < radius ? x : x + interior.width,
                     radius + (i - outer_rows) / outer_columns);
}

template <bool triangular>
__global__ void smooth_border(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                              Interior interior, int pixels, int width, int height) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const int2 pixel = border_pixel(i, interior, width, height);
    int sum = 0, total = 0;
    for (int dy = -radius; dy <= radius; ++dy) {
        for (int dx = -radius; dx <= radius; ++dx) {
            const int column = pixel.x + dx, row = pixel.y + dy;
            if (column < 0 || column >= width || row < 0 || row >= height) continue;
            const int weight = weight_at<triangular>(dx) * weight_at<triangular>(dy);
            sum += weight * gray[row * width + column];
            total += weight;
        }
    }
    out[pixel.y * width + pixel.x] = (sum + total / 2) / total;
}

// One channel; `row_bytes` lie between a pixel and the one below it.
__device__ uint8_t filtered(const uint8_t* centre, int row_bytes, int divisor) {
    int sum = 0;
    for (int k = 0; k < 25; ++k) {
        const int dx = k % 5 - radius, dy = k / 5 - radius;
        sum += filter[k] * centre[dy * row_bytes + 3 * dx];
    }
    return min(max(sum / divisor, 0), 255);
}

__global__ void filter_interior(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                                Interior interior, int divisor, int width) {
    __shared__ uint8_t staged[staged_height * 3 * staged_width];
    const int2 tile = tile_of_block(interior);
    stage<3>(tile, rgb, staged, width);
    const uint8_t* centre =
        staged + 3 * ((threadIdx.y + radius) * staged_width + threadIdx.x + radius);
    uint8_t* result = out + 3 * ((tile.y + threadIdx.y) * width + tile.x + threadIdx.x);
    for (int channel = 0; channel < 3; ++channel)
        result[channel] = filtered(centre + channel, 3 * staged_width, divisor);
}

__global__ void filter_border(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                              Interior interior, int pixels, int divisor, int width, int height) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const int2 pixel = border_pixel(i, interior, width, height);
    const bool copied = pixel.x < radius || pixel.y < radius || pixel.x >= width - radius ||
                        pixel.y >= height - radius;
    for (int channel = 0; channel < 3; ++channel) {
        const int byte = 3 * (pixel.y * width + pixel.x) + channel;
        out[byte] = copied ? rgb[byte] : filtered(rgb + byte, 3 * width, divisor);
    }
}

int border_pixels(Interior interior, int width, int height) {
    return width * height - interior.width * interior.height;
}

template <bool triangular>
void smooth(const uint8_t* gray, uint8_t* out, int width, int height) {
    const Interior interior = interior_of(width, height);
    const dim3 block(tile_width, tile_height);
    const int pixels = border_pixels(interior, width, height);
    smooth_border<triangular>
        <<<ceil_div(pixels, block_size), block_size>>>(gray, out, interior, pixels, width, height);
    if (interior.tiles() > 0)
        smooth_interior<triangular><<<interior.tiles(), block>>>(gray, out, interior, width);
}

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth<false>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    smooth<true>(gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    WORKBOOK_CHECK(cudaMemcpyToSymbol(filter, filter25, 25 * sizeof(int)));
    const Interior interior = interior_of(width, height);
    const dim3 block(tile_width, tile_height);
    const int pixels = border_pixels(interior, width, height);
    filter_border<<<ceil_div(pixels, block_size), block_size>>>(rgb, out, interior, pixels, divisor,
                                                                width, height);
    if (interior.tiles() > 0)
        filter_interior<<<interior.tiles(), block>>>(rgb, out, interior, divisor, width);
}
