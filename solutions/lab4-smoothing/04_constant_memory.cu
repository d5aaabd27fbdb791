// Rung 4: weights in constant memory.
//
// Before:   the weights of the triangle are computed for every neighbour again, and those of the
//           filter are read from device memory, which has to be allocated and freed for every
//           image.
// Change:   a table in constant memory: 25 numbers that stay the same during a launch and that all
//           threads of a warp read at the same time. The compiler fills in the triangle's; those of
//           the filter come from the host with `cudaMemcpyToSymbol`. (Both reports that filter do
//           this. The box has no weights: its kernel is that of rung 2.)
// Expected: a warp gets a weight in one access for all its threads, and no load from device memory
//           stands between it and the product: a gain for the filter. The loads of the pixels
//           remain.
#include "workbook.cuh"

constexpr int block_width = 32;  // tune: 16 32 64
constexpr int block_height = 8;  // tune: 4 8 16 32
static_assert(block_width * block_height <= 1024, "no more threads than a block may hold");
constexpr int radius = 2;

// A grid has room for this many blocks in y; taller images are finished in further rounds.
constexpr int max_grid_height = 65535;

dim3 grid_for(int width, int height) {
    const int rows = ceil_div(height, block_height);
    return dim3(ceil_div(width, block_width), rows < max_grid_height ? rows : max_grid_height);
}

__constant__ int triangle[25] = {1, 2, 3, 2, 1, 2, 4, 6, 4, 2, 3, 6, 9,
                                 6, 3, 2, 4, 6, 4, 2, 1, 2, 3, 2, 1};
__constant__ int filter[25];

// The weighted mean over the neighbours of (x, y) that exist, rounded, halves up.
template <bool triangular>
__device__ uint8_t mean_at(const uint8_t* gray, int x, int y, int width, int height) {
    int sum = 0, total = 0;
    for (int dy = -radius; dy <= radius; ++dy) {
        for (int dx = -radius; dx <= radius; ++dx) {
            const int column = x + dx, row = y + dy;
            if (column < 0 || column >= width || row < 0 || row >= height) continue;
            const int weight = triangular ? triangle[5 * (dy + radius) + dx + radius] : 1;
            sum += weight * gray[row * width + column];
            total += weight;
        }
    }
    return (sum + total / 2) / total;
}

template <bool triangular>
__global__ void smooth_kernel(const uint8_t* __restrict__ gray, uint8_t* __restrict__ out,
                              int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y)
        out[y * width + x] = mean_at<triangular>(gray, x, y, width, height);
}

__device__ bool is_border(int x, int y, int width, int height) {
    return x < radius || y < radius || x >= width - radius || y >= height - radius;
}

// One channel of one inner pixel; `centre` is its byte.
__device__ uint8_t filtered(const uint8_t* centre, int divisor, int width) {
    int sum = 0;
    for (int k = 0; k < 25; ++k) {
        const int dx = k % 5 - radius, dy = k / 5 - radius;
        sum += filter[k] * centre[3 * (dy * width + dx)];
    }
    return min(max(sum / divisor, 0), 255);
}

// ANCHOR: kernel
__global__ void filter_rgb_kernel(const uint8_t* __restrict__ rgb, uint8_t* __restrict__ out,
                                  int divisor, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        const bool border = is_border(x, y, width, height);
        for (int channel = 0; channel < 3; ++channel) {
            const int i = 3 * (y * width + x) + channel;
            out[i] = border ? rgb[i] : filtered(rgb + i, divisor, width);
        }
    }
}
// ANCHOR_END: kernel

void smooth_box(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 block(block_width, block_height);
    smooth_kernel<false><<<grid_for(width, height), block>>>(gray, out, width, height);
}

void smooth_triangular(const uint8_t* gray, uint8_t* out, int width, int height) {
    const dim3 block(block_width, block_height);
    smooth_kernel<true><<<grid_for(width, height), block>>>(gray, out, width, height);
}

void filter_rgb(const uint8_t* rgb, uint8_t* out, const int* filter25, int divisor, int width,
                int height) {
    WORKBOOK_CHECK(cudaMemcpyToSymbol(filter, filter25, 25 * sizeof(int)));
    const dim3 block(block_width, block_height);
    filter_rgb_kernel<<<grid_for(width, height), block>>>(rgb, out, divisor, width, height);
}
